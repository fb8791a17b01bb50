import type { RequestError } from '../../../lib/api/api-error.ts';
import type { Ingestion } from '../../../lib/api/types.ts';

/** How far an upload is. */
export type UploadState =
  | { readonly phase: 'waiting' }
  /** `share`: from 0 to 1; at 1 the service stores the last of it. */
  | { readonly phase: 'sending'; readonly share: number }
  /** The next try comes by itself, at this time in milliseconds since 1970. */
  | { readonly phase: 'retrying'; readonly error: RequestError; readonly nextAttemptAt: number }
  /** Not sent; why, for people. */
  | { readonly phase: 'unfit'; readonly reason: string }
  | { readonly phase: 'failed'; readonly error: RequestError }
  | { readonly phase: 'cancelled' }
  /** The file is stored, and its job runs or has ended. `error`: why it cannot be watched any more. */
  | { readonly phase: 'taken'; readonly ingestion: Ingestion; readonly error?: RequestError };

export interface Upload {
  readonly id: string;
  readonly file: File;
  readonly state: UploadState;
}

/** Whether something of the file has still to be sent. */
export function isInProgress({ state: { phase } }: Upload): boolean {
  return phase === 'waiting' || phase === 'sending' || phase === 'retrying';
}

/** Whether the upload is over and its job still runs. */
export function isProcessing({ state }: Upload): boolean {
  return (
    state.phase === 'taken' && state.error === undefined && state.ingestion.attributes.completed_at === null
  );
}
