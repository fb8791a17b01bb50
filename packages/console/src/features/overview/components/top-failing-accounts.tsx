import { Link } from '@tanstack/react-router';
import { BarList } from '../../../components/bar-list.tsx';
import { Skeleton } from '../../../components/skeleton.tsx';
import type { FindingSummary } from '../../../lib/api/types.ts';

const SHOWN = 8;

export function TopFailingAccounts({ summary }: { readonly summary: FindingSummary | undefined }) {
  if (summary === undefined) return <Skeleton lines={SHOWN} label="Counting by account" />;
  const worst = summary.by_provider.filter(({ failed }) => failed > 0).slice(0, SHOWN);
  if (worst.length === 0) return <p>Nothing fails in any account.</p>;
  return (
    <BarList
      label="Failing findings by account"
      items={worst.map(({ id, provider_type, account, failed }) => ({
        id,
        value: failed,
        label: (
          <Link to="/findings" search={{ provider: id, status: 'FAIL', muted: 'false' }}>
            {provider_type} {account}
          </Link>
        ),
      }))}
    />
  );
}
