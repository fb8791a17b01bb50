import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { severityLabel, statusLabel } from '../../../components/badges.tsx';
import { BarTable } from '../../../components/bar-table.tsx';
import { Card } from '../../../components/card.tsx';
import { CardGrid } from '../../../components/card-grid.tsx';
import { ErrorNotice } from '../../../components/error-notice.tsx';
import { PageHeader } from '../../../components/page-header.tsx';
import { Skeleton } from '../../../components/skeleton.tsx';
import { Time } from '../../../components/time.tsx';
import { useApi } from '../../../lib/api/api.ts';
import { FINDING_STATUSES, type Scan, SEVERITIES } from '../../../lib/api/types.ts';
import { scanQuery } from '../api/get-scan.ts';
import type { ListedScan } from '../api/listed-scan.ts';
import { ScanChanges } from './scan-changes.tsx';
import { ScanComparison } from './scan-comparison.tsx';
import { ScanDetailsCard } from './scan-details-card.tsx';
import { ScanFigures } from './scan-figures.tsx';
import { STATUS_COLORS } from './status-colors.ts';

export function ScanPage() {
  const { id } = useParams({ from: '/scans/$id' });
  const { data, error, refetch } = useQuery(scanQuery(useApi(), id));
  return (
    <>
      <PageHeader title={data === undefined ? 'Scan' : `Scan of ${getAccountName(data)}`}>
        <Link to="/scans">All scans</Link>
        {data !== undefined && (
          <>
            {' · uploaded '}
            <Time time={data.scan.attributes.inserted_at} />
          </>
        )}
      </PageHeader>
      {error !== null && <ErrorNotice error={error} retry={() => void refetch()} />}
      {data !== undefined && <ScanDetails {...data} />}
      {data === undefined && error === null && (
        <Card>
          <Skeleton lines={12} />
        </Card>
      )}
    </>
  );
}

function ScanDetails(listed: ListedScan) {
  const { scan } = listed;
  const { by_status, by_severity, failed_by_severity } = scan.attributes;
  return (
    <>
      <ScanFigures scan={scan} />
      <ScanChanges scan={scan} />
      <CardGrid>
        <Card title="By status">
          <BarTable
            label="Records by status"
            rows={FINDING_STATUSES.map((status) => ({
              name: status,
              label: statusLabel(status),
              count: by_status[status],
              color: STATUS_COLORS[status],
            }))}
          />
        </Card>
        <Card title="Failing by severity">
          <BarTable label="Failing records by severity" rows={severityRows(failed_by_severity)} />
        </Card>
        <Card title="All by severity">
          <BarTable label="All records by severity" rows={severityRows(by_severity)} />
        </Card>
      </CardGrid>
      <CardGrid>
        <ScanDetailsCard {...listed} />
        <ScanComparison scan={scan} />
      </CardGrid>
    </>
  );
}

function severityRows(counts: Scan['attributes']['by_severity']) {
  // Omits the rare severities `unknown` and `other` if their count is 0.
  const shown = SEVERITIES.filter(
    (severity) => counts[severity] > 0 || (severity !== 'unknown' && severity !== 'other'),
  );
  return shown.map((severity) => ({
    name: severity,
    label: severityLabel(severity),
    count: counts[severity],
    color: `var(--severity-${severity})`,
  }));
}

function getAccountName({ provider }: ListedScan): string {
  if (provider === undefined) return 'deleted account';
  const { alias, name, account } = provider.attributes;
  return alias ?? name ?? account;
}
