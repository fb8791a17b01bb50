import { Link } from '@tanstack/react-router';
import { BarList } from '../../../components/bar-list.tsx';
import { Skeleton } from '../../../components/skeleton.tsx';
import type { FindingSummary } from '../../../lib/api/types.ts';
import { providerTypeLabel } from '../../../lib/provider-type-label.ts';

const SHOWN = 8;

export function TopFailingAccounts({ summary }: { readonly summary: FindingSummary | undefined }) {
  if (summary === undefined) return <Skeleton lines={SHOWN} label="Loading accounts…" />;
  const accounts = summary.by_provider.filter(({ failed }) => failed > 0).slice(0, SHOWN);
  if (accounts.length === 0) return <p>No failing findings.</p>;
  return (
    <BarList
      label="Failing findings by account"
      items={accounts.map(({ id, provider_type, account, failed }) => ({
        id,
        value: failed,
        label: (
          <Link to="/findings" search={{ provider: id, status: 'FAIL', muted: 'false' }}>
            {providerTypeLabel(provider_type)} {account}
          </Link>
        ),
      }))}
    />
  );
}
