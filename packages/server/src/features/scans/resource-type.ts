import { READ_FINDINGS } from '../../access/rules.ts';
import type { ResourceType } from '../../api/resource-type.ts';
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
