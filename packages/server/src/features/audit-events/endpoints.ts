import { z } from 'zod';
import type { ApiDependencies } from '../../api/dependencies.ts';
import type { Endpoint } from '../../api/endpoint.ts';
import { readAsTenant } from '../../db/transaction.ts';
import { notFound } from '../../jsonapi/errors.ts';
import { dateFilters, equalityFilters } from '../../jsonapi/filters.ts';
import { isUuid } from '../../jsonapi/identifier.ts';
import { listAnswer } from '../../jsonapi/list-answer.ts';
import { documentOf, listOf } from '../../jsonapi/schemas.ts';
import { includedUsers } from '../users/included-users.ts';
import { USERS, users } from '../users/resource.ts';
import { type AuditEventRow, findAuditEvent, listAuditEvents } from './repository.ts';
import { AUDIT_EVENTS, auditEventResource, auditEvents } from './resource.ts';

const access = { permission: 'manage_account' } as const;
const fields = { [AUDIT_EVENTS]: auditEvents.attributes, [USERS]: users.attributes };

/** The trail of what was changed in a tenant, by its users and by operators. Nobody changes it by this API. */
export function auditEventEndpoints({ pool, publicUrl }: ApiDependencies): readonly Endpoint[] {
  const usersOf = (rows: readonly AuditEventRow[]) =>
    rows.flatMap(({ present_user_id }) => (present_user_id === null ? [] : [present_user_id]));

  const list: Endpoint = {
    method: 'GET',
    path: '/audit-events',
    operationId: 'listAuditEvents',
    tag: 'Account',
    summary: 'List who changed what',
    access,
    query: {
      fields,
      includes: ['user'],
      filters: {
        ...equalityFilters('action', 'e.action', z.string(), 'text'),
        ...equalityFilters('user', 'e.user_id', z.uuid(), 'uuid'),
        ...equalityFilters('target_type', 'e.target_type', z.string(), 'text'),
        ...equalityFilters('target_id', 'e.target_id', z.string(), 'text'),
        ...dateFilters('occurred_at', 'e.occurred_at'),
      },
      list: {
        sorts: { occurred_at: { sql: 'e.occurred_at', type: 'timestamptz' } },
        defaultSort: '-occurred_at',
        cursors: true,
      },
    },
    answers: { 200: { description: 'A page of events', schema: listOf(auditEvents, { included: [users] }) } },
    handle: async ({ request, access: { tenantId }, query }) =>
      await readAsTenant(pool, tenantId, async (client) => {
        const page = await listAuditEvents(client, tenantId, query);
        const data = page.rows.map((row) => auditEventResource(row, query.fields.get(AUDIT_EVENTS)));
        const included = await includedUsers(client, tenantId, query, publicUrl(), usersOf(page.rows));
        return listAnswer({ data, included, page, query, request, publicUrl: publicUrl() });
      }),
  };

  const get: Endpoint = {
    method: 'GET',
    path: '/audit-events/{id}',
    operationId: 'getAuditEvent',
    tag: 'Account',
    summary: 'Get one event',
    access,
    query: { fields, includes: ['user'] },
    answers: { 200: { description: 'The event', schema: documentOf(auditEvents, { included: [users] }) } },
    handle: async ({ access: { tenantId }, params: { id = '' }, query }) =>
      await readAsTenant(pool, tenantId, async (client) => {
        const row = isUuid(id) ? await findAuditEvent(client, tenantId, id) : undefined;
        if (row === undefined) throw notFound('There is no audit event with this id');
        const included = await includedUsers(client, tenantId, query, publicUrl(), usersOf([row]));
        const data = auditEventResource(row, query.fields.get(AUDIT_EVENTS));
        return { status: 200, document: { data, ...(included !== undefined && { included }) } };
      }),
  };
  return [list, get];
}
