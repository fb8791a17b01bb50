import type { AccessRule } from '../../auth/access-rule.ts';
import { READ_FINDINGS } from '../../auth/access-rule.ts';
import type { ResourceType } from '../../http/endpoints/resource-type.ts';
import { isUuid } from '../../jsonapi/identifier.ts';
import { findIngestionsByIds, type IngestionRow } from './repository.ts';
import { ingestionResource, ingestions } from './resource.ts';

/** Jobs. Requires `manage_ingestions` and an active subscription. */
export const ingestionResourceType: ResourceType<IngestionRow> = {
  resource: ingestions,
  access: { permissions: ['manage_ingestions'], subscription: true },
  isId: isUuid,
  findByIds: findIngestionsByIds,
  toResource: ingestionResource,
  notFoundDetail: 'No ingestion has this ID.',
};

/** Files and records expose the same data as findings, so they require the same permissions. */
export const READ_SUBMITTED_RECORDS: AccessRule = {
  ...ingestionResourceType.access,
  permissions: [...ingestionResourceType.access.permissions, ...READ_FINDINGS.permissions],
};
