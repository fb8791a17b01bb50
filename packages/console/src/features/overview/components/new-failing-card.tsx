import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { SeverityBadge, StatusBadge } from '../../../components/badges.tsx';
import { Card } from '../../../components/card.tsx';
import { ErrorNotice } from '../../../components/error-notice.tsx';
import { Skeleton } from '../../../components/skeleton.tsx';
import { Time } from '../../../components/time.tsx';
import { useApi } from '../../../lib/api/api.ts';
import { formatCount } from '../../../lib/format-number.ts';
import { newFailingQuery } from '../api/list-new-failing.ts';
import styles from './card-list.module.css';

const SHOWN = 5;

const SEARCH = { delta: 'new', status: 'FAIL', muted: 'false' };

/** The most severe new failing findings in the latest scans, with a link to all of them. */
export function NewFailingCard() {
  const { data, error, refetch } = useQuery(newFailingQuery(useApi(), SHOWN));
  const all =
    data === undefined || data.count === 0 ? undefined : (
      <Link to="/findings" search={SEARCH}>
        View all {formatCount(data.count)}
      </Link>
    );
  return (
    <Card title="New failing findings" flush actions={all}>
      {error !== null && <ErrorNotice error={error} retry={() => void refetch()} />}
      {data === undefined && error === null && <Skeleton lines={SHOWN} label="Loading findings…" />}
      {data?.findings.length === 0 && (
        <p className={styles.emptyText}>No new failing findings in the latest scans.</p>
      )}
      {data !== undefined && data.findings.length > 0 && (
        <ul className={styles.list}>
          {data.findings.map(({ id, attributes: finding }) => (
            <li key={id} className={styles.item}>
              <Link to="/findings" search={{ ...SEARCH, finding: id }} className={styles.title}>
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
