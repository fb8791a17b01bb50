import type { RequestError } from '../../../lib/api/api-error.ts';
import type { Ingestion } from '../../../lib/api/types.ts';

/** The state of an upload. */
export type UploadState =
  | { readonly phase: 'waiting' }
  /** `fraction` is from 0 to 1. At 1, the service is storing the rest of the file. */
  | { readonly phase: 'sending'; readonly fraction: number }
  /** The next attempt starts automatically at this time, in milliseconds since the epoch. */
  | { readonly phase: 'retrying'; readonly error: RequestError; readonly nextAttemptAt: number }
  /** Not uploaded because of `reason`, a message for the user. */
  | { readonly phase: 'rejected'; readonly reason: string }
  | { readonly phase: 'failed'; readonly error: RequestError }
  | { readonly phase: 'canceled' }
  /** The file is stored. `error` is set if the status of its job is no longer available. */
  | { readonly phase: 'accepted'; readonly ingestion: Ingestion; readonly error?: RequestError };

export interface Upload {
  readonly id: string;
  readonly file: File;
  readonly state: UploadState;
}

/** Whether the file is waiting, being sent or about to be retried. */
export function isInProgress({ state: { phase } }: Upload): boolean {
  return phase === 'waiting' || phase === 'sending' || phase === 'retrying';
}

/** Whether the file is stored and its job is still running. */
export function isProcessing({ state }: Upload): boolean {
  return (
    state.phase === 'accepted' &&
    state.error === undefined &&
    state.ingestion.attributes.completed_at === null
  );
}
