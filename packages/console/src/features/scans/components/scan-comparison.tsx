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

/** Compares a scan with the previous scan of the same account. */
export function ScanComparison({ scan }: { readonly scan: Scan }) {
  const { data: previous, error, refetch } = useQuery(previousScanQuery(useApi(), scan));
  if (previous === undefined) {
    return (
      <Card title="Previous scan">
        {error === null ? <Skeleton lines={6} /> : <ErrorNotice error={error} retry={() => void refetch()} />}
      </Card>
    );
  }
  if (previous === null) return <Card title="Previous scan">This is the first scan of this account.</Card>;
  const rows = listCounts(previous).map(
    ([label, count], index) => [label, count, listCounts(scan)[index]?.[1] ?? 0] as const,
  );
  return (
    <Card title="Previous scan" flush>
      <p className={styles.previous}>
        <Link to="/scans/$id" params={{ id: previous.id }}>
          Uploaded <Time time={previous.attributes.inserted_at} />
        </Link>
      </p>
      <Table label="Comparison with the previous scan">
        <thead>
          <tr>
            <th scope="col">Records</th>
            <th scope="col" className={numeric}>
              Previous
            </th>
            <th scope="col" className={numeric}>
              This scan
            </th>
            <th scope="col" className={numeric}>
              Change
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map(([label, previousCount, count]) => (
            <tr key={label}>
              <th scope="row">{label}</th>
              <td className={numeric}>{formatCount(previousCount)}</td>
              <td className={numeric}>{formatCount(count)}</td>
              <td className={numeric}>{formatDifference(count - previousCount)}</td>
            </tr>
          ))}
        </tbody>
      </Table>
    </Card>
  );
}

function listCounts({ attributes: { records, failed, muted, by_status } }: Scan) {
  const statuses = FINDING_STATUSES.map((status) => [statusLabel(status), by_status[status]] as const);
  return [
    ['All', records] as const,
    ['Failing (not muted)', failed] as const,
    ...statuses,
    ['Muted', muted] as const,
  ];
}
