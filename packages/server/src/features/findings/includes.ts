import { includeRelated } from '../../http/endpoints/includes.ts';
import { checkResourceType } from '../../resources/checks.ts';
import { providerResourceType } from '../../resources/providers.ts';
import { scanResourceType } from '../../resources/scans.ts';
import type { FindingRow } from './repository.ts';
import { relatedIds } from './resource.ts';

/** The values that `include` supports for findings. */
export const FINDING_INCLUDES = {
  provider: includeRelated(providerResourceType, (row: FindingRow) => [relatedIds(row).provider]),
  check: includeRelated(checkResourceType, (row: FindingRow) => [relatedIds(row).check]),
  scan: includeRelated(scanResourceType, (row: FindingRow) => [relatedIds(row).scan]),
};
