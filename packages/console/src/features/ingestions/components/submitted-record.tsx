import { useQuery } from '@tanstack/react-query';
import { useLayoutEffect, useMemo, useRef } from 'react';
import { CopyButton } from '../../../components/copy-button.tsx';
import { ErrorNotice } from '../../../components/error-notice.tsx';
import { Skeleton } from '../../../components/skeleton.tsx';
import { useApi } from '../../../lib/api/api.ts';
import { formatBytes, formatCount } from '../../../lib/format-number.ts';
import { type IngestionRecord, recordQuery } from '../api/get-record.ts';
import type { ProblemType } from '../api/list-problems.ts';
import { type FormattedRecord, formatRecord } from '../record/format-record.ts';
import styles from './submitted-record.module.css';

interface SubmittedRecordProps {
  readonly ingestionId: string;
  /** Starts at 0. */
  readonly index: number;
  /** JSON Pointer of the value to highlight, in which `*` can stand for the index of an array. */
  readonly pointer: string | null;
  /** The type of the problem, which determines the color of the highlight. */
  readonly type: ProblemType;
}

/** A record as it was uploaded. */
export function SubmittedRecord({ ingestionId, index, pointer, type }: SubmittedRecordProps) {
  const { data, error, refetch } = useQuery(recordQuery(useApi(), ingestionId, index));
  return (
    <section aria-label={`Record ${formatCount(index)}`} className={styles.record}>
      <div className={styles.header}>
        <h3>Record {formatCount(index)}</h3>
        {data !== undefined && <CopyButton text={data.raw} label="Copy record" />}
      </div>
      {error !== null && <ErrorNotice error={error} retry={() => void refetch()} />}
      {data === undefined && error === null && <Skeleton lines={12} label="Loading record…" />}
      {data !== undefined && <RecordText record={data} pointer={pointer} type={type} />}
    </section>
  );
}

interface RecordTextProps extends Pick<SubmittedRecordProps, 'pointer' | 'type'> {
  readonly record: IngestionRecord;
}

function RecordText({ record, pointer, type }: RecordTextProps) {
  const { raw, truncated, bytes } = record;
  const formatted = useMemo(() => formatRecord(raw, { pointer, truncated }), [raw, pointer, truncated]);
  const { before, highlighted, after } = formatted;
  const text = useRef<HTMLPreElement>(null);
  const mark = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    const [area, place] = [text.current, mark.current];
    if (area !== null && place !== null && formatted.highlighted !== '')
      area.scrollTop = place.offsetTop - area.clientHeight / 3;
  }, [formatted]);
  return (
    <>
      <p className={styles.description}>
        {describeFormatting(formatted)}
        {truncated &&
          ` Only the beginning of this ${formatBytes(bytes)} record is shown. Download the file to see the rest.`}
      </p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard (WCAG 2.1.1) */}
      <pre ref={text} tabIndex={0} className={styles.text}>
        {before}
        <mark ref={mark} className={`${styles.highlight} ${styles[type]}`}>
          {highlighted}
        </mark>
        {after}
      </pre>
    </>
  );
}

function describeFormatting({ place, pointer, isFormatted }: FormattedRecord): string {
  if (!isFormatted) return 'Shown exactly as uploaded.';
  if (place === 'exact') return `The value at ${pointer} is highlighted.`;
  if (place === 'parent') return `${pointer} does not exist. Its parent is highlighted.`;
  return 'Formatted for readability. Names and values are unchanged.';
}
