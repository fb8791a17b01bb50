import { z } from 'zod';
import { READ_FINDINGS } from '../auth/permissions.ts';
import { type SelectedPage, selectPage } from '../db/paging/select-page.ts';
import { TENANT } from '../db/tenant-parameter.ts';
import type { Queryable } from '../db/transaction.ts';
import { utcTimestamp } from '../db/utc-timestamp.ts';
import type { ResourceType, TextLength } from '../http/endpoints/resource-type.ts';
import { API_PREFIX } from '../jsonapi/document.ts';
import { type Query, selectFields } from '../jsonapi/query.ts';
import { describeResource, shortText, timestamp } from '../jsonapi/schemas.ts';
import { briefText } from '../jsonapi/truncate-texts.ts';
import { isUuid } from '../jsonapi/uuid.ts';
import { IS_OPEN } from './finding-state.ts';
import { countedFindings, FAILING } from './finding-totals.ts';
import { lacksKeys } from './previous-layout.ts';

export const PROVIDERS = 'providers';

export const providerAlias = shortText()
  .nullable()
  .meta({ description: 'Name of your choice, not necessarily unique. `null` if no alias is set.' });

const count = z.int().min(0);

export const findingCounts = z.strictObject({
  total: count.meta({ description: 'Number of open findings.' }),
  failing: count.meta({
    description: 'Number of open findings with the status FAIL that are not muted.',
  }),
});

export const providers = describeResource({
  type: PROVIDERS,
  description: 'A cloud account with findings. Each provider counts toward the subscription.',
  attributes: {
    type: z.string().meta({ description: 'Provider type in lower case, for example `aws`.' }),
    account: z.string().meta({ description: 'Account ID assigned by the provider.' }),
    name: z.string().nullable().meta({
      description:
        'Account name from the first records of the account. `null` if these records have no account name.',
    }),
    alias: providerAlias,
    inserted_at: timestamp.meta({ description: 'Time at which the provider was created.' }),
    last_seen_at: timestamp
      .nullable()
      .meta({ description: 'Time of the latest record. `null` if the provider has no findings.' }),
    findings: findingCounts.meta({ description: 'Finding counts for this provider.' }),
  },
  links: ['findings'],
});

interface StoredProvider {
  readonly id: string;
  readonly type: string;
  readonly account: string;
  /** Account name from the uploaded records. */
  readonly name: string | null;
  /** Name chosen by the tenant. */
  readonly alias: string | null;
  /** In ISO 8601 format with microseconds and `Z`. */
  readonly inserted_at: string;
  /** Time of the latest record; null if there is none. */
  readonly last_seen_at: string | null;
}

/** A live provider as returned by the API. */
export interface ProviderRow extends StoredProvider {
  /** Absent if the request selects no attribute that requires finding counts. */
  readonly counts?: ProviderCounts;
}

interface ProviderCounts {
  readonly findings: {
    readonly total: number;
    /** Number of findings with the status FAIL that are not muted. */
    readonly failing: number;
  };
}

/** Converts a provider to a resource object. */
export function providerResource(row: ProviderRow, publicUrl: string, fields?: ReadonlySet<string>) {
  const { id, type, account, name, alias, inserted_at, last_seen_at, counts } = row;
  const related = `${publicUrl}${API_PREFIX}/findings?${new URLSearchParams({ 'filter[provider]': id })}`;
  return {
    type: PROVIDERS,
    id,
    attributes: selectFields({ type, account, name, alias, inserted_at, last_seen_at, ...counts }, fields),
    relationships: { findings: { links: { related } } },
    links: { self: `${publicUrl}${API_PREFIX}/${PROVIDERS}/${id}` },
  };
}

/** `text` truncates long strings in lists. */
const columns = (text = (sql: string) => sql) => `id, type, account, ${text('name')} as name, alias,
  ${utcTimestamp('created_at')} as inserted_at, ${utcTimestamp('last_seen_at')} as last_seen_at`;

/** Selects a page of providers. Counts their findings only if the selected `fields` require counts. */
export async function listProviders(
  client: Queryable,
  tenantId: string,
  query: Query,
  fields: ReadonlySet<string> | undefined,
): Promise<SelectedPage<ProviderRow>> {
  const source = {
    columns: columns(briefText),
    table: 'providers',
    tieBreaker: { sql: 'id', type: 'uuid', descending: false },
    conditions: [{ sql: () => 'deleted_at is null' }],
  };
  const page = await selectPage<StoredProvider>(client, source, tenantId, query);
  return { ...page, rows: await withCounts(client, tenantId, page.rows, fields) };
}

/** Returns the live providers with these ids, in any order. Ids of unknown and deleted providers are skipped. */
async function findProvidersByIds(
  client: Queryable,
  tenantId: string,
  ids: readonly string[],
  fields?: ReadonlySet<string>,
  textLength: TextLength = 'full',
): Promise<ProviderRow[]> {
  const { rows } = await client.query<StoredProvider>(
    `select ${textLength === 'brief' ? columns(briefText) : columns()} from providers where tenant_id = $1 and id = any($2::uuid[]) and deleted_at is null`,
    [tenantId, ids],
  );
  return await withCounts(client, tenantId, rows, fields);
}

/**
 * Sets a provider's alias, or removes the alias if `alias` is `null`. Returns whether the alias changed, or `false` if
 * there is no live provider with this id.
 */
export async function setAlias(
  client: Queryable,
  tenantId: string,
  id: string,
  alias: string | null,
): Promise<boolean> {
  const { rowCount } = await client.query(
    `update providers set alias = $3
     where tenant_id = $1 and id = $2 and deleted_at is null and alias is distinct from $3`,
    [tenantId, id, alias],
  );
  return rowCount === 1;
}

async function withCounts(
  client: Queryable,
  tenantId: string,
  rows: readonly StoredProvider[],
  fields: ReadonlySet<string> | undefined,
): Promise<ProviderRow[]> {
  if (!needsProviderCounts(fields)) return [...rows];
  const countsOf = await countFindingsByProvider(
    client,
    tenantId,
    rows.map(({ id }) => id),
  );
  return rows.map((row) => ({ ...row, counts: countsOf(row.id) }));
}

/**
 * Whether these attributes (`undefined` for all) include the finding counts. All others are columns of the provider.
 */
function needsProviderCounts(fields: ReadonlySet<string> | undefined): boolean {
  return fields === undefined || fields.has('findings');
}

const NO_FINDINGS: ProviderCounts = { findings: { total: 0, failing: 0 } };

/** Counts the findings of these providers from the totals. */
async function countFindingsByProvider(
  client: Queryable,
  tenantId: string,
  providerIds: readonly string[],
): Promise<(providerId: string) => ProviderCounts> {
  if (providerIds.length === 0) return () => NO_FINDINGS;
  const { rows } = await client.query<{
    provider_id: string;
    total: number;
    failing: number;
  }>(await providerCountsSql(client, tenantId), [tenantId, providerIds]);
  const counts = new Map(
    rows.map(({ provider_id, total, failing }) => [provider_id, { findings: { total, failing } }]),
  );
  return (providerId) => counts.get(providerId) ?? NO_FINDINGS;
}

async function providerCountsSql(client: Queryable, tenantId: string): Promise<string> {
  const sql = () => 'findings.provider_id = any($2::uuid[])';
  const counted = (await lacksKeys(client, tenantId))
    ? undefined
    : countedFindings([{ sql, countsSql: sql, dimensions: ['provider'] }], [], () => '', '$1');
  const number = counted === undefined ? '1' : 'findings.count';
  return `select provider_id, sum(${number})::float8 as total,
      coalesce(sum(${number}) filter (where ${FAILING}), 0)::float8 as failing
    from ${counted ?? `findings where findings.tenant_id = $1 and ${sql()} and ${IS_OPEN}`}
    group by provider_id having sum(${number}) > 0`;
}

/**
 * SQL for a lateral subquery that returns `type`, `account`, `alias` and `deleted_at` of a row's provider. A subquery
 * that is evaluated for each row always uses the complete primary key. A plain join may not: if the statistics are
 * older than the tenant's providers, PostgreSQL expects the tenant to have one provider, and reads all of the tenant's
 * providers for each row.
 */
export function providerSubquery(row: string): string {
  return `lateral (select type, account, alias, deleted_at from providers
    where providers.tenant_id = ${TENANT} and providers.id = ${row}.provider_id offset 0)`;
}

/** Live providers. Requires `read_findings`. */
export const providerResourceType: ResourceType<ProviderRow> = {
  resource: providers,
  access: READ_FINDINGS,
  isId: isUuid,
  findByIds: findProvidersByIds,
  toResource: providerResource,
  notFoundDetail: 'No provider has this ID.',
};
