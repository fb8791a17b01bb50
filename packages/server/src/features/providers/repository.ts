import type { TextLength } from '../../api/resource-type.ts';
import type { Queryable } from '../../db/transaction.ts';
import { utcTimestamp } from '../../db/utc-timestamp.ts';
import type { Query } from '../../jsonapi/query.ts';
import { type SelectedPage, selectPage } from '../../jsonapi/select-page.ts';
import { briefText } from '../../jsonapi/truncate-texts.ts';
import {
  countFindingsByProvider,
  needsProviderCounts,
  type ProviderCounts,
} from './count-findings-by-provider.ts';

interface StoredProvider {
  readonly id: string;
  readonly type: string;
  readonly account: string;
  /** As the records name the account. */
  readonly name: string | null;
  /** As the tenant names it. */
  readonly alias: string | null;
  /** ISO 8601 with microseconds and `Z`. */
  readonly inserted_at: string;
}

/** A live provider as the API shows it: one account that counts toward the subscription. */
export interface ProviderRow extends StoredProvider {
  /** Not there where the request asks for nothing that has to be counted. */
  readonly counts?: ProviderCounts;
}

/** In lists texts are brief. */
const columns = (text = (sql: string) => sql) => `id, type, account, ${text('name')} as name, alias,
  ${utcTimestamp('created_at')} as inserted_at`;

/** `fields` are those that the request asks for; findings are counted for the page's providers, and only if they are asked for. */
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

/** The live ones of these providers, in any order; the deleted ones are not there. `fields` as for the list. */
export async function findProvidersByIds(
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

/** Whether it was another alias before; `null` takes it away. False as well where there is no such live provider. */
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
