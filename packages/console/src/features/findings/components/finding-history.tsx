import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { statusLabel } from '../../../components/badges.tsx';
import { Time } from '../../../components/time.tsx';
import type { Finding, Scan } from '../../../lib/api/types.ts';
import styles from './finding-details.module.css';

interface FindingHistoryProps {
  readonly finding: Finding;
  /** The newest that has met it. */
  readonly scan: Scan | undefined;
}

interface Event {
  readonly id: string;
  readonly time: string;
  readonly words: ReactNode;
}

/** What has become of a finding, the newest first, as far as the service knows: it keeps the upload before, not all of them. */
export function FindingHistory({ finding, scan }: FindingHistoryProps) {
  const { status, previous, last_seen_at, status_changed_at, first_seen_at } = finding.attributes;
  const events: readonly Event[] = [
    { id: 'last', time: last_seen_at, words: <LastSeen finding={finding} scan={scan} /> },
    ...(previous === null
      ? []
      : [
          {
            id: 'previous',
            time: previous.seen_at,
            words: `${statusLabel(previous.status)} in the upload before,`,
          },
        ]),
    { id: 'status', time: status_changed_at, words: `${statusLabel(status)} since` },
    { id: 'first', time: first_seen_at, words: 'First seen' },
  ];
  // A stable sort: of equal times the order above holds.
  const newestFirst = events.toSorted((a, b) => (a.time < b.time ? 1 : a.time > b.time ? -1 : 0));
  return (
    <section aria-label="History" className={styles.section}>
      <h3>History</h3>
      <ol className={styles.timeline}>
        {newestFirst.map(({ id, time, words }) => (
          <li key={id}>
            {words} <Time time={time} />
          </li>
        ))}
      </ol>
    </section>
  );
}

function LastSeen({ finding, scan }: FindingHistoryProps) {
  const ingestion = finding.relationships.ingestion.data?.id;
  return (
    <>
      Last seen
      {scan !== undefined && (
        <>
          {' '}
          by the scan{' '}
          <Link to="/scans/$id" params={{ id: scan.id }}>
            {scan.attributes.uid ?? scan.id}
          </Link>
        </>
      )}
      {ingestion !== undefined && (
        <>
          {' '}
          in{' '}
          <Link to="/ingestions/$id" params={{ id: ingestion }}>
            this upload
          </Link>
        </>
      )}
      {(scan !== undefined || ingestion !== undefined) && ','}
    </>
  );
}
