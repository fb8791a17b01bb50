import { z } from 'zod';
import type { ApiDependencies } from '../../http/endpoints/dependencies.ts';
import type { Endpoint } from '../../http/endpoints/endpoint.ts';
import { includeRelated } from '../../http/endpoints/includes.ts';
import { getEndpoint, listEndpoint } from '../../http/endpoints/resource-endpoints.ts';
import { dateFilters, equalityFilters } from '../../jsonapi/filters.ts';
import { userResourceType } from '../../resources/users.ts';
import { type AuditEventRow, auditEventResourceType, listAuditEvents } from './resource.ts';

const includes = {
  user: includeRelated(userResourceType, ({ present_user_id }: AuditEventRow) =>
    present_user_id === null ? [] : [present_user_id],
  ),
};

/** The audit log endpoints. The audit log contains changes by users and operators, and is read-only. */
export function auditEventEndpoints(dependencies: ApiDependencies): readonly Endpoint[] {
  const common = { resourceType: auditEventResourceType, tag: 'Account', includes } as const;
  const list = listEndpoint(dependencies, {
    ...common,
    operationId: 'listAuditEvents',
    summary: 'List audit events',
    responseDescription: 'A page of audit events.',
    filters: {
      ...equalityFilters('action', 'e.action', z.string(), 'text'),
      ...equalityFilters('user', 'e.user_id', z.uuid(), 'uuid'),
      ...equalityFilters('target_type', 'e.target_type', z.string(), 'text'),
      ...equalityFilters('target_id', 'e.target_id', z.string(), 'text'),
      ...dateFilters('occurred_at', 'e.occurred_at'),
    },
    sorts: { occurred_at: { sql: 'e.occurred_at', type: 'timestamptz' } },
    defaultSort: '-occurred_at',
    cursors: true,
    select: listAuditEvents,
  });
  const get = getEndpoint(dependencies, {
    ...common,
    operationId: 'getAuditEvent',
    summary: 'Get an audit event',
    responseDescription: 'The audit event.',
  });
  return [list, get];
}
