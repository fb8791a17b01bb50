import { Link } from '@tanstack/react-router';
import { statusLabel } from '../../../components/badges.tsx';
import { Time } from '../../../components/time.tsx';
import type { Finding, Scan } from '../../../lib/api/types.ts';
import styles from './finding-details.module.css';

interface FindingHistoryProps {
  readonly finding: Finding;
  /** The newest that has met it. */
  readonly scan: Scan | undefined;
}

/** What has become of a finding, the newest first. */
export function FindingHistory({ finding, scan }: FindingHistoryProps) {
  const { attributes, relationships } = finding;
  const ingestion = relationships.ingestion.data?.id;
  return (
    <section aria-label="History" className={styles.section}>
      <h3>History</h3>
      <ol className={styles.timeline}>
        <li>
          Last seen <Time time={attributes.last_seen_at} />
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
              , from{' '}
              <Link to="/ingestions/$id" params={{ id: ingestion }}>
                this upload
              </Link>
            </>
          )}
        </li>
        <li>
          {statusLabel(attributes.status)} since <Time time={attributes.status_changed_at} />
        </li>
        <li>
          First seen <Time time={attributes.first_seen_at} />
        </li>
      </ol>
    </section>
  );
}
