import { Link } from '@tanstack/react-router';
import { JobStatusBadge } from '../../../components/badges.tsx';
import { Progress } from '../../../components/progress.tsx';
import { linkedRow, numeric, rowLink, SortHeader, Table } from '../../../components/table.tsx';
import { Time } from '../../../components/time.tsx';
import type { Ingestion } from '../../../lib/api/types.ts';
import { formatBytes, formatCount } from '../../../lib/format-number.ts';
import { formatDuration } from '../../../lib/format-time.ts';
import styles from './ingestions-table.module.css';

interface IngestionsTableProps {
  readonly ingestions: readonly Ingestion[];
  readonly sort: string;
  readonly onSort: (sort: string) => void;
}

export function IngestionsTable({ ingestions, sort, onSort }: IngestionsTableProps) {
  return (
    <Table label="Uploads">
      <thead>
        <tr>
          <th scope="col">Status</th>
          <th scope="col">File</th>
          <th scope="col" className={numeric}>
            Records
          </th>
          <th scope="col" className={numeric}>
            Invalid
          </th>
          <th scope="col" className={numeric}>
            Size
          </th>
          <SortHeader name="requested_at" sort={sort} onSort={onSort}>
            Uploaded
          </SortHeader>
          <SortHeader name="completed_at" sort={sort} onSort={onSort}>
            Completed
          </SortHeader>
          <th scope="col">Duration</th>
        </tr>
      </thead>
      <tbody>
        {ingestions.map((ingestion) => (
          <IngestionRow key={ingestion.id} ingestion={ingestion} />
        ))}
      </tbody>
    </Table>
  );
}

function IngestionRow({ ingestion: { id, attributes, meta } }: { readonly ingestion: Ingestion }) {
  const { status, summary, requested_at, completed_at } = attributes;
  return (
    <tr className={linkedRow}>
      <td className={styles.status}>
        <JobStatusBadge status={status} dryRun={meta.dry_run} />
      </td>
      <td>
        <Link
          to="/ingestions/$id"
          params={{ id }}
          className={`${rowLink} ${styles.file}`}
          title={meta.file_name ?? id}
        >
          {meta.file_name ?? <code>{id}</code>}
        </Link>
      </td>
      <td className={numeric}>{formatCount(summary.total)}</td>
      <td className={numeric}>
        {summary.invalid > 0 ? <span className={styles.invalid}>{formatCount(summary.invalid)}</span> : '0'}
      </td>
      <td className={`${numeric} ${styles.line}`}>{formatBytes(meta.received_bytes)}</td>
      <td className={styles.line}>
        <Time time={requested_at} />
      </td>
      <td className={styles.line}>{completed_at === null ? '–' : <Time time={completed_at} />}</td>
      <td className={styles.duration}>
        <Duration attributes={attributes} />
      </td>
    </tr>
  );
}

/** The duration of a job, or its progress while the job is running. */
function Duration({ attributes }: Pick<Ingestion, 'attributes'>) {
  const { started_at, completed_at, summary } = attributes;
  if (started_at === null) return '–';
  if (completed_at !== null) return formatDuration(started_at, completed_at);
  const { processed, total } = summary;
  return (
    <span title={`${formatCount(processed)} of ${formatCount(total)}`}>
      <Progress label="Records processed" value={processed} max={total} />
    </span>
  );
}
