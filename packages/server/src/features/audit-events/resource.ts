import { z } from 'zod';
import { selectFields } from '../../jsonapi/query.ts';
import { describeResource, timestamp } from '../../jsonapi/schemas.ts';
import type { AuditEventRow } from './repository.ts';

export const AUDIT_EVENTS = 'audit-events';

export const auditEvents = describeResource({
  type: AUDIT_EVENTS,
  description: 'Something that was changed: who did it, when and from where',
  attributes: {
    action: z.string().meta({ description: 'What was done to what, like provider.deleted' }),
    actor: z.enum(['user', 'operator']).meta({
      description: 'user: by this API. operator: by a command on the service itself',
    }),
    user_email: z
      .string()
      .nullable()
      .meta({ description: 'As it was then; kept when the user is deleted. null: an operator' }),
    api_key_prefix: z
      .string()
      .nullable()
      .meta({ description: 'Of the key that asked for it. null: an operator' }),
    target_type: z.string().meta({ description: 'Type of the resource that it was done to' }),
    target_id: z.string(),
    changes: z.record(z.string(), z.unknown()).meta({ description: 'What was set' }),
    occurred_at: timestamp,
    address: z.string().nullable().meta({ description: 'IP address of the client. null: an operator' }),
    request_id: z
      .string()
      .nullable()
      .meta({ description: 'As in the X-Request-Id of the answer. null: an operator' }),
  },
  relationships: { user: 'users' },
});

/** An event as a resource object; `user` leads to a user only while there is one. */
export function auditEventResource(row: AuditEventRow, fields?: ReadonlySet<string>) {
  const { id, present_user_id } = row;
  // Named one by one: the row of a page by cursor has its place beside them.
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
