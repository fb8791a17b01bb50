import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { statusLabel } from '../../../components/badges.tsx';
import { Time } from '../../../components/time.tsx';
import type { Finding, FindingStatus, Scan } from '../../../lib/api/types.ts';
import { capitalize } from '../../../lib/capitalize.ts';
import styles from './finding-details.module.css';

interface FindingHistoryProps {
  readonly finding: Finding;
  /** The latest scan that reported the finding. */
  readonly scan: Scan | undefined;
}

interface Event {
  readonly id: string;
  readonly time: string;
  readonly text: ReactNode;
}

/** The history of a finding, newest first. The service only stores the current and the previous status. */
export function FindingHistory({ finding, scan }: FindingHistoryProps) {
  const { status, previous, last_seen_at, status_changed_at, first_seen_at, resolved_at } =
    finding.attributes;
  const events: readonly Event[] = [
    ...(resolved_at === null
      ? []
      : [{ id: 'resolved', time: resolved_at, text: <Resolved finding={finding} /> }]),
    { id: 'last', time: last_seen_at, text: <LastSeen finding={finding} scan={scan} /> },
    ...(previous === null
      ? []
      : [
          {
            id: 'previous',
            time: previous.seen_at,
            text: describePrevious(previous.status, status),
          },
        ]),
    { id: 'status', time: status_changed_at, text: `Status set to ${statusLabel(status)}` },
    { id: 'first', time: first_seen_at, text: 'First seen' },
  ];
  // The sort is stable, so events with equal times keep the order above.
  const newestFirst = events.toSorted((a, b) => (a.time < b.time ? 1 : a.time > b.time ? -1 : 0));
  return (
    <section aria-label="History" className={styles.section}>
      <h3>History</h3>
      <ol className={styles.timeline}>
        {newestFirst.map(({ id, time, text }) => (
          <li key={id}>
            {text} <Time time={time} />
          </li>
        ))}
      </ol>
    </section>
  );
}

const VERBS: Readonly<Record<FindingStatus, string>> = {
  FAIL: 'failed',
  PASS: 'passed',
  MANUAL: 'needed manual review',
};

function describePrevious(previous: FindingStatus, current: FindingStatus): string {
  // A newer server may send a status that this version does not know.
  const verb: string | undefined = VERBS[previous];
  if (verb === undefined) return `Status was ${previous} in the previous scan,`;
  return `${previous === current ? `Also ${verb}` : capitalize(verb)} in the previous scan,`;
}

function Resolved({ finding }: Pick<FindingHistoryProps, 'finding'>) {
  const ingestion = finding.relationships.resolved_by.data?.id;
  return (
    <>
      Resolved: absent from{' '}
      {ingestion === undefined ? (
        'a complete upload'
      ) : (
        <Link to="/ingestions/$id" params={{ id: ingestion }}>
          a complete upload
        </Link>
      )}
      ,
    </>
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
          in scan{' '}
          <Link to="/scans/$id" params={{ id: scan.id }}>
            {scan.attributes.uid ?? scan.id}
          </Link>
        </>
      )}
      {ingestion !== undefined && (
        <>
          {' '}
          (
          <Link to="/ingestions/$id" params={{ id: ingestion }}>
            view upload
          </Link>
          )
        </>
      )}
      {(scan !== undefined || ingestion !== undefined) && ','}
    </>
  );
}
