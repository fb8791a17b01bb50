import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Card } from '../../../components/card.tsx';
import { ChangeCounts } from '../../../components/change-counts.tsx';
import { ErrorNotice } from '../../../components/error-notice.tsx';
import { Skeleton } from '../../../components/skeleton.tsx';
import { Time } from '../../../components/time.tsx';
import { useApi } from '../../../lib/api/api.ts';
import type { Provider } from '../../../lib/api/types.ts';
import { latestScansQuery } from '../api/list-latest-scans.ts';
import styles from './card-list.module.css';

const SHOWN = 5;

/** How the latest scans changed findings. */
export function LatestScansCard() {
  const { data, error, refetch } = useQuery(latestScansQuery(useApi(), SHOWN));
  return (
    <Card title="Latest scans" flush actions={<Link to="/scans">View all scans</Link>}>
      {error !== null && <ErrorNotice error={error} retry={() => void refetch()} />}
      {data === undefined && error === null && <Skeleton lines={SHOWN} label="Loading scans…" />}
      {data?.length === 0 && <p className={styles.emptyText}>No scans yet.</p>}
      {data !== undefined && data.length > 0 && (
        <ul className={styles.list}>
          {data.map(({ scan: { id, attributes }, provider }) => (
            <li key={id} className={styles.item}>
              <Link to="/scans/$id" params={{ id }} className={styles.title}>
                {getAccountName(provider)}
              </Link>
              <div className={styles.details}>
                <Time time={attributes.inserted_at} />
                <ChangeCounts id={id} counts={attributes} />
              </div>
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}

function getAccountName(provider: Provider | undefined): string {
  if (provider === undefined) return 'Deleted account';
  const { alias, name, account } = provider.attributes;
  return alias ?? name ?? account;
}
