import { useQuery } from '@tanstack/react-query';
import { DateRange } from '../../../components/date-range.tsx';
import { FilterChips } from '../../../components/filter-chips.tsx';
import { FilterMenu } from '../../../components/filter-menu.tsx';
import { SearchField } from '../../../components/search-field.tsx';
import { Toolbar } from '../../../components/toolbar.tsx';
import { useApi } from '../../../lib/api/api.ts';
import { subscriptionQuery } from '../../../lib/api/subscription.ts';
import { providerTypeLabel } from '../../../lib/provider-type-label.ts';
import type { ListUrlState } from '../../../lib/use-list-url-state.ts';
import { accountsQuery } from '../api/list-accounts.ts';
import type { ScanFilters } from '../api/scan-filters.ts';
import { scanFilterChips } from './scan-filter-chips.ts';

interface ScanToolbarProps {
  readonly filters: ScanFilters;
  readonly list: Pick<ListUrlState<string>, 'setFilters' | 'clearFilters'>;
}

export function ScanToolbar({ filters, list: { setFilters, clearFilters } }: ScanToolbarProps) {
  const api = useApi();
  const { data: subscription } = useQuery(subscriptionQuery(api));
  const { data: providers = [] } = useQuery(accountsQuery(api));
  const types = subscription?.attributes.providers_by_type.map(({ type }) => type) ?? [];
  const accountNames = new Map(
    providers.map(({ attributes: { account, alias, name } }) => {
      const displayName = alias ?? name;
      return [account, displayName === null ? account : `${displayName} (${account})`];
    }),
  );
  const providerNames = new Map(
    providers.map(({ id, attributes: { type, account } }) => [id, `${providerTypeLabel(type)} ${account}`]),
  );
  // Selected values are included even if they are unknown, so that they can be removed.
  const options = (
    known: Iterable<string>,
    selected: readonly string[],
    getLabel: (value: string) => string,
  ) => [...new Set([...known, ...selected])].map((value) => ({ value, label: getLabel(value) }));
  return (
    <>
      <Toolbar>
        <SearchField
          label="Search accounts, scan IDs and files"
          value={filters.search}
          onSearch={(search) => setFilters({ search }, { replace: true })}
        />
        <FilterMenu
          label="Provider type"
          options={options(types, filters.provider_type, providerTypeLabel)}
          values={filters.provider_type}
          onChange={(provider_type) => setFilters({ provider_type })}
        />
        <FilterMenu
          label="Account"
          options={options(
            accountNames.keys(),
            filters.account,
            (account) => accountNames.get(account) ?? account,
          )}
          values={filters.account}
          onChange={(account) => setFilters({ account })}
        />
        <DateRange
          label="Uploaded"
          from={filters.from}
          to={filters.to}
          onFrom={(from) => setFilters({ from })}
          onTo={(to) => setFilters({ to })}
        />
      </Toolbar>
      <FilterChips chips={scanFilterChips(filters, providerNames, setFilters)} onClear={clearFilters} />
    </>
  );
}
