import { z } from 'zod';
import { type SelectedPage, selectPage } from '../../db/paging/select-page.ts';
import type { Queryable } from '../../db/transaction.ts';
import { utcTimestamp } from '../../db/utc-timestamp.ts';
import type { ResourceType } from '../../http/endpoints/resource-type.ts';
import { type Query, selectFields } from '../../jsonapi/query.ts';
import { describeResource, timestamp } from '../../jsonapi/schemas.ts';
import { isUuid } from '../../jsonapi/uuid.ts';

const AUDIT_EVENTS = 'audit-events';

const auditEvents = describeResource({
  type: AUDIT_EVENTS,
  description: "A change to the tenant's data: who made it, when, and from which address.",
  attributes: {
    action: z.string().meta({ description: 'Type of the change, for example `provider.deleted`.' }),
    actor: z.enum(['user', 'operator']).meta({
      description: '`user` for changes made through this API, `operator` for admin commands.',
    }),
    user_email: z.string().nullable().meta({
      description:
        'Email of the user at the time of the change. Kept after the user is deleted. `null` for operators.',
    }),
    api_key_prefix: z
      .string()
      .nullable()
      .meta({ description: 'Prefix of the API key used for the change. `null` for operators.' }),
    target_type: z.string().meta({ description: 'Resource type of the changed resource.' }),
    target_id: z.string().meta({ description: 'ID of the changed resource.' }),
    changes: z.record(z.string(), z.unknown()).meta({ description: 'New values of the changed properties.' }),
    occurred_at: timestamp.meta({ description: 'Time of the change.' }),
    address: z.string().nullable().meta({ description: 'IP address of the client. `null` for operators.' }),
    request_id: z
      .string()
      .nullable()
      .meta({ description: 'ID of the request, as in the header `X-Request-Id`. `null` for operators.' }),
  },
  relationships: { user: 'users' },
});

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

/** Converts an audit event to a resource object. The relationship `user` is null once the user has been deleted. */
function auditEventResource(row: AuditEventRow, fields?: ReadonlySet<string>) {
  const { id, present_user_id } = row;
  // Listed explicitly, because the rows of cursor-based pages have an additional column.
  const attributes = {
    action: row.action,
    actor: row.actor,
    user_email: row.user_email,
    api_key_prefix: row.api_key_prefix,
    target_type: row.target_type,
    target_id: row.target_id,
    changes: row.changes,
    occurred_at: row.occurred_at,
    address: row.address,
    request_id: row.request_id,
  };
  return {
    type: AUDIT_EVENTS,
    id,
    attributes: selectFields(attributes, fields),
    relationships: {
      user: { data: present_user_id === null ? null : { type: 'users', id: present_user_id } },
    },
  };
}

const COLUMNS = `e.id, e.action, case when e.user_id is null then 'operator' else 'user' end as actor,
  e.user_email, e.api_key_prefix, e.target_type, e.target_id, e.changes,
  ${utcTimestamp('e.occurred_at')} as occurred_at, e.address, e.request_id,
  (select u.id from users u where u.tenant_id = $1 and u.id = e.user_id) as present_user_id`;

/** Selects a page of events. */
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

/** Returns the events with these ids, in any order. Unknown ids are skipped. */
async function findAuditEventsByIds(
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

/** Audit events. Requires `manage_account`. */
export const auditEventResourceType: ResourceType<AuditEventRow> = {
  resource: auditEvents,
  access: { permissions: ['manage_account'] },
  isId: isUuid,
  findByIds: findAuditEventsByIds,
  toResource: (row, _publicUrl, fields) => auditEventResource(row, fields),
  notFoundDetail: 'No audit event has this ID.',
};
