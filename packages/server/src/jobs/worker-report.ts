import type { BlobReport } from '../blob-store/instrumented-blob-store.ts';
import type { StoredFileFault } from '../frames/stored-bytes.ts';

/** The parts of the work on a frame that are measured. */
export type FrameStep = 'read' | 'parse' | 'merge' | 'finish';

/** What became of one try of a frame: done, to be tried again, or given up, its records counted as invalid. */
export type FrameResult = 'processed' | 'failed' | 'given_up';

export interface FrameReport {
  readonly type: 'frame';
  readonly result: FrameResult;
  /** It was begun before, and not ended. */
  readonly isRetry: boolean;
  readonly seconds: number;
  readonly steps: readonly (readonly [FrameStep, number])[];
  readonly records: number;
  /** Records that were not taken, by code. */
  readonly invalid: readonly (readonly [string, number])[];
  /** Why its stored file could not be read. */
  readonly fileFault: StoredFileFault | undefined;
  /** Of the job, where this frame was its last. */
  readonly jobStatus: string | undefined;
}

/** What a worker thread tells the main thread, which answers for the process. */
export type WorkerReport =
  | FrameReport
  | BlobReport
  /** Whether all of the thread's workers have their database connections. */
  | { readonly type: 'connected'; readonly isConnected: boolean };
