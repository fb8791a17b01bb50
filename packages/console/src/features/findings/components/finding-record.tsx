import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '../../../components/button.tsx';
import { CopyButton } from '../../../components/copy-button.tsx';
import { ErrorNotice } from '../../../components/error-notice.tsx';
import { Notice } from '../../../components/notice.tsx';
import { Scrollable } from '../../../components/scrollable.tsx';
import { Skeleton } from '../../../components/skeleton.tsx';
import { useApi } from '../../../lib/api/api.ts';
import { ApiError } from '../../../lib/api/api-error.ts';
import { recordQuery } from '../api/get-record.ts';
import styles from './finding-details.module.css';
import { indentJson } from './indent-json.ts';

/** The maximum number of characters to display. The copy button always copies the complete record. */
const MAX_LENGTH = 100_000;

/** Shows the uploaded record on request. */
export function FindingRecord({ id, ingestion }: { readonly id: string; readonly ingestion: string }) {
  const [open, setOpen] = useState(false);
  const { data, error, refetch } = useQuery({ ...recordQuery(useApi(), id, ingestion), enabled: open });
  return (
    <section aria-label="Record" className={styles.section}>
      <h3>Record</h3>
      <div className={styles.actions}>
        <Button aria-expanded={open} onClick={() => setOpen(!open)}>
          {open ? 'Hide record' : 'Show record'}
        </Button>
        {open && data !== undefined && <CopyButton text={data} label="Copy record" />}
      </div>
      {open && error instanceof ApiError && error.status === 410 && (
        <Notice variant="warning" live title="Record no longer available">
          The uploaded file was deleted when its retention period ended.
        </Notice>
      )}
      {open && error !== null && !(error instanceof ApiError && error.status === 410) && (
        <ErrorNotice error={error} retry={() => void refetch()} />
      )}
      {open && data === undefined && error === null && <Skeleton lines={6} label="Loading record…" />}
      {open && data !== undefined && <FormattedRecord text={data} />}
    </section>
  );
}

function FormattedRecord({ text }: { readonly text: string }) {
  const { formatted, isComplete } = indentJson(text, MAX_LENGTH);
  return (
    <>
      <Scrollable label="Record JSON" className={styles.record}>
        <pre>{formatted}</pre>
      </Scrollable>
      {!isComplete && <p>Only the beginning is shown. Copy the record to see the rest.</p>}
    </>
  );
}
