import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { BarList } from '../../../components/bar-list.tsx';
import { ErrorNotice } from '../../../components/error-notice.tsx';
import { Skeleton } from '../../../components/skeleton.tsx';
import { useApi } from '../../../lib/api/api.ts';
import { topFailingChecksQuery } from '../api/list-top-failing-checks.ts';

const SHOWN = 8;

export function TopFailingChecks() {
  const { data, error, refetch } = useQuery(topFailingChecksQuery(useApi(), SHOWN));
  if (error !== null) return <ErrorNotice error={error} retry={() => void refetch()} />;
  if (data === undefined) return <Skeleton lines={SHOWN} label="Loading checks…" />;
  const checks = data.filter(({ attributes }) => attributes.findings.failing > 0);
  if (checks.length === 0) return <p>No failing checks.</p>;
  return (
    <BarList
      label="Failing findings by check"
      items={checks.map(({ id, attributes: { check_id, provider_type, title, findings } }) => ({
        id,
        value: findings.failing,
        label: (
          <Link to="/findings" search={{ check: check_id, provider_type, status: 'FAIL', muted: 'false' }}>
            {title ?? check_id}
          </Link>
        ),
      }))}
    />
  );
}
