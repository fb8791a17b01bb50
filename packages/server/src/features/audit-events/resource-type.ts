import type { ResourceType } from '../../http/endpoints/resource-type.ts';
import { isUuid } from '../../jsonapi/identifier.ts';
import { type AuditEventRow, findAuditEventsByIds } from './repository.ts';
import { auditEventResource, auditEvents } from './resource.ts';

/** Audit events. Requires `manage_account`. */
export const auditEventResourceType: ResourceType<AuditEventRow> = {
  resource: auditEvents,
  access: { permissions: ['manage_account'] },
  isId: isUuid,
  findByIds: findAuditEventsByIds,
  toResource: (row, _publicUrl, fields) => auditEventResource(row, fields),
  notFoundDetail: 'No audit event has this ID.',
};
