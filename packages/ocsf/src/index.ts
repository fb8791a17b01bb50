export { ConformanceChecker } from './conformance/conformance-checker.ts';
export type { MissingAttribute } from './conformance/missing-attributes.ts';
export { createFindingScanner } from './create-finding-scanner.ts';
export { accountSpellings, normalizeProviderType, plainText } from './detection-finding/account.ts';
export { type CheckTexts, readCheckTexts } from './detection-finding/check-texts.ts';
export type {
  DetectionFinding,
  FindingResource,
  FindingStatus,
} from './detection-finding/detection-finding.ts';
export type { Rejection, RejectionCode, Warn, Warning, WarningCode } from './detection-finding/problems.ts';
export {
  FINDING_FIELDS,
  findingUidOf,
  isRejection,
  MAX_LENGTHS,
  readDetectionFinding,
  type UploadDefaults,
} from './detection-finding/read-detection-finding.ts';
export {
  SEVERITIES,
  type Severity,
  type SeverityName,
  severityId,
  severityName,
} from './detection-finding/severity.ts';
export { ExtractBuilder, FieldScanner, type RecordPlace } from './extract/extract-builder.ts';
export { ExtractReader, isExtractOf } from './extract/extract-reader.ts';
export type { FieldTree } from './extract/field-layout.ts';
export type { FileFault, FileFaultCode } from './splitter/file-fault.ts';
export type { RecordLimits, RecordProblem, RecordSpan } from './splitter/record-span.ts';
export { RecordSplitter } from './splitter/record-splitter.ts';
