import { z } from 'zod';
import type { ResourceType } from '../../http/endpoints/resource-type.ts';
import { isUuid } from '../../jsonapi/identifier.ts';
import { selectFields } from '../../jsonapi/query.ts';
import { describeResource, timestamp } from '../../jsonapi/schemas.ts';
import { type AuditEventRow, findAuditEventsByIds } from './repository.ts';

export const AUDIT_EVENTS = 'audit-events';

export const auditEvents = describeResource({
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

/** Converts an audit event to a resource object. The relationship `user` is null once the user has been deleted. */
export function auditEventResource(row: AuditEventRow, fields?: ReadonlySet<string>) {
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

/** Audit events. Requires `manage_account`. */
export const auditEventResourceType: ResourceType<AuditEventRow> = {
  resource: auditEvents,
  access: { permissions: ['manage_account'] },
  isId: isUuid,
  findByIds: findAuditEventsByIds,
  toResource: (row, _publicUrl, fields) => auditEventResource(row, fields),
  notFoundDetail: 'No audit event has this ID.',
};
