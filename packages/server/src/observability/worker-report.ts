import type { BlobReport } from '../blobs/instrumented-blob-store.ts';

/** The fault in a stored file, as reported to clients. */
export type StoredFileFault = 'file_damaged' | 'file_missing';

/** The measured steps of processing a frame. */
export type FrameStep = 'read' | 'parse' | 'merge' | 'finish';

/**
 * The result of a frame attempt: processed, failed and to be retried, or given up with its records counted as invalid.
 */
export type FrameResult = 'processed' | 'failed' | 'given_up';

export interface FrameReport {
  readonly type: 'frame';
  readonly result: FrameResult;
  /** Whether an earlier attempt failed. */
  readonly isRetry: boolean;
  readonly seconds: number;
  readonly steps: readonly (readonly [FrameStep, number])[];
  readonly records: number;
  /** Rejected records by error code. */
  readonly invalid: readonly (readonly [string, number])[];
  /** Why the stored file could not be read. */
  readonly fileFault: StoredFileFault | undefined;
  /** Status of the job, if this was its last frame. */
  readonly jobStatus: string | undefined;
}

/** A report from a worker thread to the main thread, which serves the metrics and health checks of the process. */
export type WorkerReport =
  | FrameReport
  | BlobReport
  /** A job ended after its last frame, because it had to resolve findings. */
  | { readonly type: 'job'; readonly status: string }
  /** Whether all workers of the thread have their database connections. */
  | { readonly type: 'connected'; readonly isConnected: boolean };
