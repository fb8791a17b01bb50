import { READS_FINDINGS } from '../../access/rules.ts';
import type { ResourceKind } from '../../api/resource-kind.ts';
import { isUuid } from '../../jsonapi/identifier.ts';
import { findScansByIds, type ScanRow } from './repository.ts';
import { scanResource, scans } from './resource.ts';

/** Scans of live providers, for keys that may read findings. */
export const scanKind: ResourceKind<ScanRow> = {
  resource: scans,
  access: READS_FINDINGS,
  isId: isUuid,
  findByIds: findScansByIds,
  toResource: scanResource,
  missing: 'There is no scan with this id',
};
