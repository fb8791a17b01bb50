import { READ_FINDINGS } from '../../auth/access-rule.ts';
import type { ResourceType } from '../../http/endpoints/resource-type.ts';
import { isUuid } from '../../jsonapi/identifier.ts';
import { findScansByIds, type ScanRow } from './repository.ts';
import { scanResource, scans } from './resource.ts';

/** Scans of live providers. Requires `read_findings`. */
export const scanResourceType: ResourceType<ScanRow> = {
  resource: scans,
  access: READ_FINDINGS,
  isId: isUuid,
  findByIds: findScansByIds,
  toResource: scanResource,
  notFoundDetail: 'No scan has this ID.',
};
