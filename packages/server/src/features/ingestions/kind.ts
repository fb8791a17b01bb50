import { READS_FINDINGS } from '../../access/rules.ts';
import type { ResourceKind } from '../../api/resource-kind.ts';
import { isUuid } from '../../jsonapi/identifier.ts';
import type { AccessRule } from '../../plugins/access.ts';
import { findIngestionsByIds, type IngestionRow } from './repository.ts';
import { ingestionResource, ingestions } from './resource.ts';

/** Jobs, for who may manage ingestions of a tenant with a subscription. */
export const ingestionKind: ResourceKind<IngestionRow> = {
  resource: ingestions,
  access: { permissions: ['manage_ingestions'], subscription: true },
  isId: isUuid,
  findByIds: findIngestionsByIds,
  toResource: ingestionResource,
  missing: 'There is no ingestion with this id',
};

/** Files and their records show what findings show. */
export const READS_SUBMITTED_RECORDS: AccessRule = {
  ...ingestionKind.access,
  permissions: [...ingestionKind.access.permissions, ...READS_FINDINGS.permissions],
};
