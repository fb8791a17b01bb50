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

/** Characters of a record that are shown; what is copied is the whole. */
const MAX_SHOWN = 100_000;

/** The record as it was uploaded, for those who want to see it. */
export function FindingRecord({ id, ingestion }: { readonly id: string; readonly ingestion: string }) {
  const [open, setOpen] = useState(false);
  const { data, error, refetch } = useQuery({ ...recordQuery(useApi(), id, ingestion), enabled: open });
  return (
    <section aria-label="Record" className={styles.section}>
      <h3>Record</h3>
      <div className={styles.actions}>
        <Button aria-expanded={open} onClick={() => setOpen(!open)}>
          {open ? 'Hide the record' : 'Show the record'}
        </Button>
        {open && data !== undefined && <CopyButton text={data} label="Copy the record" />}
      </div>
      {open && error instanceof ApiError && error.status === 410 && (
        <Notice variant="warning" live title="The record is not kept any more">
          Its file was removed after the time that files are kept. What was read from it is above.
        </Notice>
      )}
      {open && error !== null && !(error instanceof ApiError && error.status === 410) && (
        <ErrorNotice error={error} retry={() => void refetch()} />
      )}
      {open && data === undefined && error === null && <Skeleton lines={6} label="Loading the record" />}
      {open && data !== undefined && <Shown text={data} />}
    </section>
  );
}

function Shown({ text }: { readonly text: string }) {
  const { shown, isWhole } = indentJson(text, MAX_SHOWN);
  return (
    <>
      <Scrollable label="The record as JSON" className={styles.record}>
        <pre>{shown}</pre>
      </Scrollable>
      {!isWhole && <p>This is its beginning. Copy the record to have it whole.</p>}
    </>
  );
}
