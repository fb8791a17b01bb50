import { type SelectedPage, selectPage } from '../../db/paging/select-page.ts';
import type { Queryable } from '../../db/transaction.ts';
import { utcTimestamp } from '../../db/utc-timestamp.ts';
import type { Query } from '../../jsonapi/query.ts';

/** An audit event as returned by the API. The user columns are null if the actor is an operator. */
export interface AuditEventRow {
  readonly id: string;
  readonly action: string;
  readonly actor: 'user' | 'operator';
  readonly user_email: string | null;
  readonly api_key_prefix: string | null;
  readonly target_type: string;
  readonly target_id: string;
  readonly changes: Readonly<Record<string, unknown>>;
  /** In ISO 8601 format with microseconds and `Z`. */
  readonly occurred_at: string;
  readonly address: string | null;
  readonly request_id: string | null;
  /** `null` if the user has been deleted or the actor is an operator. */
  readonly present_user_id: string | null;
}

const COLUMNS = `e.id, e.action, case when e.user_id is null then 'operator' else 'user' end as actor,
  e.user_email, e.api_key_prefix, e.target_type, e.target_id, e.changes,
  ${utcTimestamp('e.occurred_at')} as occurred_at, e.address, e.request_id,
  (select u.id from users u where u.tenant_id = e.tenant_id and u.id = e.user_id) as present_user_id`;

export async function listAuditEvents(
  client: Queryable,
  tenantId: string,
  query: Query,
): Promise<SelectedPage<AuditEventRow>> {
  const source = {
    columns: COLUMNS,
    table: 'audit_events e',
    tenantColumn: 'e.tenant_id',
    tieBreaker: { sql: 'e.id', type: 'uuid', descending: false },
  };
  return await selectPage<AuditEventRow>(client, source, tenantId, query);
}

/** The events with these ids, in any order. Unknown ids are skipped. */
export async function findAuditEventsByIds(
  client: Queryable,
  tenantId: string,
  ids: readonly string[],
): Promise<readonly AuditEventRow[]> {
  const { rows } = await client.query<AuditEventRow>(
    `select ${COLUMNS} from audit_events e where e.tenant_id = $1 and e.id = any($2::uuid[])`,
    [tenantId, ids],
  );
  return rows;
}
