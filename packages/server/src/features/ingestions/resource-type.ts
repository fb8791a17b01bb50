import { READ_FINDINGS } from '../../access/rules.ts';
import type { ResourceType } from '../../api/resource-type.ts';
import { isUuid } from '../../jsonapi/identifier.ts';
import type { AccessRule } from '../../plugins/access.ts';
import { findIngestionsByIds, type IngestionRow } from './repository.ts';
import { ingestionResource, ingestions } from './resource.ts';

/** Jobs, for who may manage ingestions of a tenant with a subscription. */
export const ingestionResourceType: ResourceType<IngestionRow> = {
  resource: ingestions,
  access: { permissions: ['manage_ingestions'], subscription: true },
  isId: isUuid,
  findByIds: findIngestionsByIds,
  toResource: ingestionResource,
  notFoundDetail: 'No ingestion has this ID.',
};

/** Files and their records show what findings show. */
export const READ_SUBMITTED_RECORDS: AccessRule = {
  ...ingestionResourceType.access,
  permissions: [...ingestionResourceType.access.permissions, ...READ_FINDINGS.permissions],
};
