import { useQuery } from '@tanstack/react-query';
import { useLayoutEffect, useMemo, useRef } from 'react';
import { CopyButton } from '../../../components/copy-button.tsx';
import { ErrorNotice } from '../../../components/error-notice.tsx';
import { Skeleton } from '../../../components/skeleton.tsx';
import { useApi } from '../../../lib/api/api.ts';
import { formatBytes, formatCount } from '../../../lib/format-number.ts';
import { type IngestionRecord, recordQuery } from '../api/get-record.ts';
import { type FormattedRecord, formatRecord } from '../record/format-record.ts';
import styles from './submitted-record.module.css';

interface SubmittedRecordProps {
  readonly ingestionId: string;
  /** From 0 on. */
  readonly index: number;
  /** JSON Pointer of the place to mark. */
  readonly pointer: string | null;
}

/** A record as it was submitted. */
export function SubmittedRecord({ ingestionId, index, pointer }: SubmittedRecordProps) {
  const { data, error, refetch } = useQuery(recordQuery(useApi(), ingestionId, index));
  return (
    <section aria-label={`Record ${formatCount(index)}`} className={styles.record}>
      <div className={styles.head}>
        <h3>Record {formatCount(index)}</h3>
        {data !== undefined && <CopyButton text={data.raw} label="Copy the record" />}
      </div>
      {error !== null && <ErrorNotice error={error} retry={() => void refetch()} />}
      {data === undefined && error === null && <Skeleton lines={12} label="Loading the record" />}
      {data !== undefined && <RecordText record={data} pointer={pointer} />}
    </section>
  );
}

function RecordText({
  record,
  pointer,
}: {
  readonly record: IngestionRecord;
  readonly pointer: string | null;
}) {
  const { raw, truncated, bytes } = record;
  const formatted = useMemo(() => formatRecord(raw, { pointer, truncated }), [raw, pointer, truncated]);
  const { before, marked, after } = formatted;
  const text = useRef<HTMLPreElement>(null);
  const mark = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    const [area, place] = [text.current, mark.current];
    if (area !== null && place !== null && formatted.marked !== '')
      area.scrollTop = place.offsetTop - area.clientHeight / 3;
  }, [formatted]);
  return (
    <>
      <p className={styles.about}>
        {wordsOf(formatted, pointer)}
        {truncated && ` Of its ${formatBytes(bytes)} only the beginning is shown; the file has all of it.`}
      </p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what can be moved has to be so by keyboard (WCAG 2.1.1) */}
      <pre ref={text} tabIndex={0} className={styles.text}>
        {before}
        <mark ref={mark} className={styles.mark}>
          {marked}
        </mark>
        {after}
      </pre>
    </>
  );
}

function wordsOf({ place, isFormatted }: FormattedRecord, pointer: string | null): string {
  if (!isFormatted) return 'It is shown as it was sent.';
  if (place === 'here') return `What ${pointer} points to is marked.`;
  if (place === 'around') return `There is nothing at ${pointer}; what it belongs to is marked.`;
  return 'It is laid out; names and values are as they were sent.';
}
