import { type SelectedPage, selectPage } from '../../db/paging/select-page.ts';
import type { Queryable } from '../../db/transaction.ts';
import { utcTimestamp } from '../../db/utc-timestamp.ts';
import type { Query } from '../../jsonapi/query.ts';

/** An API key as returned by the API, without its secret. Times are in ISO 8601 format with microseconds and `Z`. */
export interface ApiKeyRow {
  readonly id: string;
  readonly prefix: string;
  readonly name: string | null;
  /** As stored; `null` if the key is unrestricted. */
  readonly permissions: readonly string[] | null;
  readonly inserted_at: string;
  readonly expires_at: string | null;
  readonly revoked_at: string | null;
  readonly last_used_at: string | null;
  readonly user_id: string;
}

const COLUMNS = `k.id, k.prefix, k.name, k.permissions, k.user_id, ${utcTimestamp('k.created_at')} as inserted_at,
  ${utcTimestamp('k.expires_at')} as expires_at, ${utcTimestamp('k.revoked_at')} as revoked_at,
  ${utcTimestamp('k.last_used_at')} as last_used_at`;

/** The keys with these ids, in any order. Unknown ids are skipped. */
export async function findApiKeysByIds(
  client: Queryable,
  tenantId: string,
  ids: readonly string[],
): Promise<readonly ApiKeyRow[]> {
  const { rows } = await client.query<ApiKeyRow>(
    `select ${COLUMNS} from api_keys k where k.tenant_id = $1 and k.id = any($2::uuid[])`,
    [tenantId, ids],
  );
  return rows;
}

export async function listApiKeys(
  client: Queryable,
  tenantId: string,
  query: Query,
): Promise<SelectedPage<ApiKeyRow>> {
  const source = {
    columns: COLUMNS,
    table: 'api_keys k',
    tenantColumn: 'k.tenant_id',
    tieBreaker: { sql: 'k.id', type: 'uuid', descending: false },
  };
  return await selectPage<ApiKeyRow>(client, source, tenantId, query);
}
