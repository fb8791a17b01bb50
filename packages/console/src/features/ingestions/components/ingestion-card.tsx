import { JobStatusBadge } from '../../../components/badges.tsx';
import { Card } from '../../../components/card.tsx';
import { DescriptionItem, DescriptionList } from '../../../components/description-list.tsx';
import { LabelItems } from '../../../components/label-items.tsx';
import { Progress } from '../../../components/progress.tsx';
import { Time } from '../../../components/time.tsx';
import type { Ingestion } from '../../../lib/api/types.ts';
import { formatBytes, formatCount } from '../../../lib/format-number.ts';
import { formatDuration } from '../../../lib/format-time.ts';
import styles from './ingestion-card.module.css';

/** What an upload with this coverage contains. */
const COVERAGES: Readonly<Partial<Record<Ingestion['meta']['coverage'], string>>> = {
  checks: 'All findings of each account, product and check in the file',
  account: 'All findings of each account and product in the file',
};

/** The result of a job: counts, times and sizes. */
export function IngestionCard({ ingestion }: { readonly ingestion: Ingestion }) {
  const { attributes, meta } = ingestion;
  const { status, summary, requested_at, started_at, completed_at } = attributes;
  return (
    <Card title="Summary" actions={<JobStatusBadge status={status} dryRun={meta.dry_run} />}>
      <dl className={styles.counts}>
        <Count label="Records" count={summary.total} />
        <Count label="Processed" count={summary.processed} />
        <Count label="Invalid" count={summary.invalid} isError={summary.invalid > 0} />
      </dl>
      <div className={styles.bar}>
        <Progress label="Records processed" value={summary.processed} max={summary.total} />
      </div>
      <div className={styles.details}>
        <DescriptionList>
          <DescriptionItem label="Uploaded">
            <Time time={requested_at} />
          </DescriptionItem>
          <DescriptionItem label="Started">
            {started_at === null ? '–' : <Time time={started_at} />}
          </DescriptionItem>
          <DescriptionItem label="Completed">
            {completed_at === null ? '–' : <Time time={completed_at} />}
          </DescriptionItem>
          <DescriptionItem label="Duration">
            {started_at === null || completed_at === null ? '–' : formatDuration(started_at, completed_at)}
          </DescriptionItem>
        </DescriptionList>
        <DescriptionList>
          <DescriptionItem label="File name">{meta.file_name ?? 'Not specified'}</DescriptionItem>
          <DescriptionItem label="Upload size">{formatBytes(meta.received_bytes)}</DescriptionItem>
          <DescriptionItem label="Uncompressed size">
            {meta.bytes === meta.received_bytes ? 'Not compressed' : formatBytes(meta.bytes)}
          </DescriptionItem>
          {meta.coverage !== 'partial' && (
            <DescriptionItem label="Coverage">
              {COVERAGES[meta.coverage] ?? meta.coverage}. If no record is invalid, their older findings that
              are not in the file are resolved.
            </DescriptionItem>
          )}
          <LabelItems labels={meta.labels} noun="uploads" />
        </DescriptionList>
      </div>
    </Card>
  );
}

interface CountProps {
  readonly label: string;
  readonly count: number;
  readonly isError?: boolean;
}

function Count({ label, count, isError = false }: CountProps) {
  return (
    <div>
      <dt className={styles.label}>{label}</dt>
      <dd className={isError ? `${styles.count} ${styles.error}` : styles.count}>{formatCount(count)}</dd>
    </div>
  );
}
