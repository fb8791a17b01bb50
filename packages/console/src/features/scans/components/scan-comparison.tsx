import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { statusLabel } from '../../../components/badges.tsx';
import { Card } from '../../../components/card.tsx';
import { ErrorNotice } from '../../../components/error-notice.tsx';
import { Skeleton } from '../../../components/skeleton.tsx';
import { numeric, Table } from '../../../components/table.tsx';
import { Time } from '../../../components/time.tsx';
import { useApi } from '../../../lib/api/api.ts';
import { FINDING_STATUSES, type Scan } from '../../../lib/api/types.ts';
import { formatCount, formatDifference } from '../../../lib/format-number.ts';
import { previousScanQuery } from '../api/get-previous-scan.ts';
import styles from './scan-comparison.module.css';

/** The scan of the account before this one, and what is different. */
export function ScanComparison({ scan }: { readonly scan: Scan }) {
  const { data: before, error, refetch } = useQuery(previousScanQuery(useApi(), scan));
  if (before === undefined) {
    return (
      <Card title="The scan before">
        {error === null ? <Skeleton lines={6} /> : <ErrorNotice error={error} retry={() => void refetch()} />}
      </Card>
    );
  }
  if (before === null) return <Card title="The scan before">This is the first scan of its account.</Card>;
  const rows = countsOf(before).map(
    ([label, count], at) => [label, count, countsOf(scan)[at]?.[1] ?? 0] as const,
  );
  return (
    <Card title="The scan before" flush>
      <p className={styles.before}>
        <Link to="/scans/$id" params={{ id: before.id }}>
          It came in <Time time={before.attributes.inserted_at} />
        </Link>
      </p>
      <Table label="This scan and the one before">
        <thead>
          <tr>
            <th scope="col">Records</th>
            <th scope="col" className={numeric}>
              Before
            </th>
            <th scope="col" className={numeric}>
              Now
            </th>
            <th scope="col" className={numeric}>
              Difference
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map(([label, earlier, now]) => (
            <tr key={label}>
              <th scope="row">{label}</th>
              <td className={numeric}>{formatCount(earlier)}</td>
              <td className={numeric}>{formatCount(now)}</td>
              <td className={numeric}>{formatDifference(now - earlier)}</td>
            </tr>
          ))}
        </tbody>
      </Table>
    </Card>
  );
}

function countsOf({ attributes: { records, failed, muted, by_status } }: Scan) {
  const statuses = FINDING_STATUSES.map((status) => [statusLabel(status), by_status[status]] as const);
  return [
    ['All', records] as const,
    ['Failing, not muted', failed] as const,
    ...statuses,
    ['Muted', muted] as const,
  ];
}
