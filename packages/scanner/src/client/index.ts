export type { Coverage } from './coverage.ts';
export type { DryRunReport, NewProvider, NewProviders } from './dry-run.ts';
export type { FindingChanges, FindingSeverity, SeverityCounts } from './finding-changes.ts';
export {
  type ClientOptions,
  createIngestionClient,
  type IngestionClient,
  type IngestionErrors,
  type IngestionWarnings,
  type WaitOptions,
} from './ingestion-client.ts';
export type { NewlyFailedFinding, NewlyFailedOptions } from './newly-failed.ts';
export { PushError, type PushErrorCode } from './push-error.ts';
export type { Ingestion, IngestionError, IngestionSummary, IngestionWarning } from './response.ts';
export type { RecordDefaults, Upload, UploadOptions } from './send-file.ts';
export type { RetryOptions } from './send-retry.ts';
export type { Retry } from './service.ts';
