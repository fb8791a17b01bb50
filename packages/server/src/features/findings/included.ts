import { includeOf } from '../../api/includes.ts';
import { checkKind } from '../checks/kind.ts';
import { providerKind } from '../providers/kind.ts';
import { scanKind } from '../scans/kind.ts';
import type { FindingRow } from './repository.ts';
import { relatedIds } from './resource.ts';

/** What `include` takes on findings. */
export const FINDING_INCLUDES = {
  provider: includeOf(providerKind, (row: FindingRow) => [relatedIds(row).provider]),
  check: includeOf(checkKind, (row: FindingRow) => [relatedIds(row).check]),
  scan: includeOf(scanKind, (row: FindingRow) => [relatedIds(row).scan]),
};
