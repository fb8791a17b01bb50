import { formatShare } from '../../../lib/format-number.ts';
import { jobResult } from '../../../lib/job-result.ts';
import type { UploadState } from '../queue/upload.ts';
import { Countdown } from './countdown.tsx';
import styles from './upload-status.module.css';

/** How far an upload is, in words. */
export function UploadStatus({ state }: { readonly state: UploadState }) {
  switch (state.phase) {
    case 'waiting':
      return <p className={styles.words}>Waits for its turn</p>;
    case 'sending':
      return (
        <p className={styles.words}>
          {state.share < 1 ? `${formatShare(state.share)} uploaded` : 'Being stored'}
        </p>
      );
    case 'retrying':
      return (
        <p className={styles.words}>
          {sentence(state.error.message)} <Countdown to={state.nextAttemptAt} />
        </p>
      );
    case 'unfit':
      return <p className={styles.fault}>{state.reason}</p>;
    case 'failed':
      return <p className={styles.fault}>{sentence(state.error.message)}</p>;
    case 'cancelled':
      return <p className={styles.words}>Cancelled</p>;
    case 'taken':
      return (
        <>
          <p className={styles.words}>{jobResult(state.ingestion)}</p>
          {state.error !== undefined && <p className={styles.fault}>{sentence(state.error.message)}</p>}
        </>
      );
  }
}

/** The details of the API's errors come without a full stop. */
function sentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
