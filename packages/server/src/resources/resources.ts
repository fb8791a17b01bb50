import { SEVERITIES } from '@sluice/ocsf';
import { z } from 'zod';
import { READ_FINDINGS } from '../auth/permissions.ts';
import { type SelectedPage, selectPage } from '../db/paging/select-page.ts';
import type { Queryable } from '../db/transaction.ts';
import { utcTimestamp } from '../db/utc-timestamp.ts';
import type { ResourceType, TextLength } from '../http/endpoints/resource-type.ts';
import { API_PREFIX } from '../jsonapi/document.ts';
import { type Query, selectFields } from '../jsonapi/query.ts';
import { describeResource, timestamp } from '../jsonapi/schemas.ts';
import { briefText, briefTexts } from '../jsonapi/truncate-texts.ts';
import { isUuid } from '../jsonapi/uuid.ts';
import { exceptDeletedProviders } from './deleted-providers.ts';
import { prepareConditions } from './prepare-conditions.ts';
import { requireKeys } from './previous-layout.ts';
import { providerSubquery } from './providers.ts';
import { countFindingsByResource, type FindingCounts } from './resource-counts.ts';

const RESOURCES = 'resources';

const count = z.int().min(0);
const text = (description: string) => z.string().nullable().meta({ description });

const resources = describeResource({
  type: RESOURCES,
  description: 'A resource of an account, with the attributes from its latest record.',
  attributes: {
    uid: z.string().meta({ description: 'Resource ID assigned by the provider.' }),
    name: text('Name of the resource.'),
    type: text('Type of the resource.'),
    region: text('Region of the resource.'),
    service: text('Service that the resource belongs to.'),
    labels: z.array(z.string()).meta({ description: 'Labels of the resource.' }),
    provider_type: z.string().meta({ description: 'Provider type in lower case, for example `aws`.' }),
    account: z.string().meta({ description: 'Account ID assigned by the provider.' }),
    account_alias: text('Alias of the provider. `null` if no alias is set.'),
    last_seen_at: timestamp.meta({ description: 'Time of the latest record.' }),
    findings: z
      .strictObject({
        total: count.meta({ description: 'Number of findings.' }),
        failing: count.meta({ description: 'Number of findings with the status FAIL that are not muted.' }),
        by_severity: z
          .record(z.enum(SEVERITIES), count)
          .meta({ description: 'Number of failing findings by severity.' }),
      })
      .meta({ description: 'Finding counts for this resource.' }),
  },
  relationships: { provider: 'providers' },
  links: ['findings'],
});

interface StoredResource {
  readonly id: string;
  readonly key: string;
  readonly uid: string;
  readonly name: string | null;
  readonly type: string | null;
  readonly region: string | null;
  readonly service: string | null;
  readonly labels: readonly string[];
  readonly provider_id: string;
  readonly provider_type: string;
  readonly account: string;
  readonly account_alias: string | null;
  /** Time of the latest record, in ISO 8601 format with microseconds and `Z`. */
  readonly seen_at: string;
}

/** A resource of a live provider as returned by the API. */
export interface ResourceRow extends StoredResource {
  /** Absent if the request does not select the counts. */
  readonly findings?: FindingCounts;
}

/** Converts a row to a resource object. */
function resourceResource(row: ResourceRow, publicUrl: string, fields?: ReadonlySet<string>) {
  const { id, uid, name, type, region, service, labels, provider_id, seen_at, findings } = row;
  const { provider_type, account, account_alias } = row;
  const texts = { uid, name, type, region, service, labels, provider_type, account, account_alias };
  const base = `${publicUrl}${API_PREFIX}`;
  const related = `${base}/findings?${new URLSearchParams({ 'filter[resource]': id })}`;
  return {
    type: RESOURCES,
    id,
    attributes: selectFields({ ...texts, last_seen_at: seen_at, findings }, fields),
    relationships: {
      provider: {
        data: { type: 'providers', id: provider_id },
        links: { related: `${base}/providers/${provider_id}` },
      },
      findings: { links: { related } },
    },
    links: { self: `${base}/${RESOURCES}/${id}` },
  };
}

/** `text` and `texts` truncate long strings in lists. */
const columns = (text = (sql: string) => sql, texts = text) => `resources.id, resources.key,
  ${['uid', 'name', 'type', 'region', 'service'].map((name) => `${text(`resources.${name}`)} as ${name}`).join(', ')},
  ${texts('resources.labels')} as labels, resources.provider_id, providers.type as provider_type, providers.account,
  providers.alias as account_alias, ${utcTimestamp('resources.seen_at')} as seen_at`;
const BRIEF = columns(briefText, briefTexts);

const JOINS = `cross join ${providerSubquery('resources')} as providers`;

/** Sort keys for resources. */
export const RESOURCE_SORTS = {
  name: { sql: 'resources.sort_name', type: 'text' },
  last_seen_at: { sql: 'resources.seen_at', type: 'timestamptz' },
} as const;

/** Selects a page of resources of live providers. Counts their findings only if `fields` select the counts. */
export async function listResources(
  client: Queryable,
  tenantId: string,
  query: Query,
  fields: ReadonlySet<string> | undefined,
): Promise<SelectedPage<ResourceRow>> {
  await requireKeys(client, tenantId);
  const source = {
    columns: BRIEF,
    table: 'resources',
    tenantColumn: 'resources.tenant_id',
    joins: JOINS,
    tieBreaker: { sql: 'resources.key', type: 'bigint', descending: false },
    conditions: await exceptDeletedProviders(client, tenantId, 'resources'),
  };
  const conditions = await prepareConditions(client, tenantId, query.conditions);
  const page = await selectPage<StoredResource>(client, source, tenantId, { ...query, conditions });
  return { ...page, rows: await withCounts(client, tenantId, page.rows, fields) };
}

/** Returns the resources with these ids, in any order. Skips unknown ids and resources of deleted providers. */
async function findResourcesByIds(
  client: Queryable,
  tenantId: string,
  ids: readonly string[],
  fields?: ReadonlySet<string>,
  textLength: TextLength = 'full',
): Promise<ResourceRow[]> {
  const { rows } = await client.query<StoredResource>(
    `select ${textLength === 'brief' ? BRIEF : columns()} from resources ${JOINS}
     where resources.tenant_id = $1 and resources.id = any($2::uuid[]) and providers.deleted_at is null`,
    [tenantId, ids],
  );
  return await withCounts(client, tenantId, rows, fields);
}

async function withCounts(
  client: Queryable,
  tenantId: string,
  rows: readonly StoredResource[],
  fields: ReadonlySet<string> | undefined,
): Promise<ResourceRow[]> {
  if (fields !== undefined && !fields.has('findings')) return [...rows];
  const keys = rows.map(({ key }) => key);
  const countsOf = await countFindingsByResource(client, tenantId, keys);
  return rows.map((row) => ({ ...row, findings: countsOf(row.key) }));
}

/** Resources of live providers. Requires `read_findings`. */
export const resourceResourceType: ResourceType<ResourceRow> = {
  resource: resources,
  access: READ_FINDINGS,
  isId: isUuid,
  findByIds: findResourcesByIds,
  toResource: resourceResource,
  notFoundDetail: 'No resource has this ID.',
};
