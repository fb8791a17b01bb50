import { TRACKED_ATTRIBUTES } from './conformance/missing-attributes.ts';
import { FINDING_FIELDS } from './detection-finding/read-detection-finding.ts';
import { FieldScanner } from './extract/extract-builder.ts';

/** Creates a scanner for the fields and the missing attributes of Detection Findings. */
export function createFindingScanner(): FieldScanner {
  return new FieldScanner(FINDING_FIELDS, TRACKED_ATTRIBUTES);
}
