import { describeChanges, describeJob } from '../../../lib/describe-job.ts';
import { formatShare } from '../../../lib/format-number.ts';
import type { UploadState } from '../queue/upload.ts';
import { Countdown } from './countdown.tsx';
import styles from './upload-status.module.css';

/** Describes the status of an upload. */
export function UploadStatus({ state }: { readonly state: UploadState }) {
  switch (state.phase) {
    case 'waiting':
      return <p className={styles.text}>Queued</p>;
    case 'sending':
      return (
        <p className={styles.text}>
          {state.fraction < 1 ? `${formatShare(state.fraction)} uploaded` : 'Storing…'}
        </p>
      );
    case 'retrying':
      return (
        <p className={styles.text}>
          {endWithPeriod(state.error.message)} <Countdown to={state.nextAttemptAt} />
        </p>
      );
    case 'rejected':
      return <p className={styles.error}>{state.reason}</p>;
    case 'failed':
      return <p className={styles.error}>{endWithPeriod(state.error.message)}</p>;
    case 'canceled':
      return <p className={styles.text}>Canceled</p>;
    case 'accepted': {
      const changes = describeChanges(state.ingestion);
      return (
        <>
          <p className={styles.text}>{describeJob(state.ingestion)}</p>
          {changes !== undefined && <p className={styles.text}>{changes}</p>}
          {state.error !== undefined && <p className={styles.error}>{endWithPeriod(state.error.message)}</p>}
        </>
      );
    }
  }
}

/** Error details from the API do not end with a period. */
function endWithPeriod(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
