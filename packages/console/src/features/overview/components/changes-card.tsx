import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { SeverityBadge, StatusBadge } from '../../../components/badges.tsx';
import { Card } from '../../../components/card.tsx';
import { ErrorNotice } from '../../../components/error-notice.tsx';
import { Skeleton } from '../../../components/skeleton.tsx';
import { Time } from '../../../components/time.tsx';
import { useApi } from '../../../lib/api/api.ts';
import { formatCount } from '../../../lib/format-number.ts';
import { type Change, changesQuery } from '../api/list-changes.ts';
import styles from './changes-card.module.css';

const SHOWN = 5;

const CONTENT = {
  'newly-failing': {
    title: 'New failing findings',
    emptyText: 'No new failing findings in the latest scans.',
    search: { delta: 'new', status: 'FAIL', muted: 'false' },
  },
  changed: {
    title: 'Status changes',
    emptyText: 'No status changes in the latest scans.',
    search: { delta: 'changed' },
  },
} as const;

/** The most severe findings that changed in the latest scans, with a link to all of them. */
export function ChangesCard({ change }: { readonly change: Change }) {
  const { title, emptyText, search } = CONTENT[change];
  const { data, error, refetch } = useQuery(changesQuery(useApi(), change, SHOWN));
  const all =
    data === undefined || data.count === 0 ? undefined : (
      <Link to="/findings" search={search}>
        View all {formatCount(data.count)}
      </Link>
    );
  return (
    <Card title={title} flush actions={all}>
      {error !== null && <ErrorNotice error={error} retry={() => void refetch()} />}
      {data === undefined && error === null && <Skeleton lines={SHOWN} label="Loading changes…" />}
      {data?.findings.length === 0 && <p className={styles.emptyText}>{emptyText}</p>}
      {data !== undefined && data.findings.length > 0 && (
        <ul className={styles.list}>
          {data.findings.map(({ id, attributes: finding }) => (
            <li key={id} className={styles.item}>
              <Link to="/findings" search={{ ...search, finding: id }} className={styles.title}>
                {finding.check_title ?? finding.check_id}
              </Link>
              <span className={styles.details}>
                <SeverityBadge severity={finding.severity} />
                <StatusBadge status={finding.status} />
                <span className={styles.resource}>
                  {finding.resource.name ?? finding.resource.uid ?? 'Unknown resource'}, {finding.account}
                </span>
                <Time time={finding.status_changed_at} />
              </span>
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}
