import type { FilterChip } from '../../../components/filter-chips.tsx';
import { formatUtcDay } from '../../../lib/format-time.ts';
import type { ListUrlState } from '../../../lib/use-list-url-state.ts';
import type { ScanFilters } from '../api/scan-filters.ts';

/** The filters that hold lists, in the order of their chips. */
const LISTS = [
  ['provider_type', 'Type'],
  ['account', 'Account'],
  ['provider', 'Provider'],
  ['ingestion', 'Job'],
  ['uid', 'Scan id'],
] as const;

/** A chip for each filter in force. `providerNames`: what to show instead of ids of providers. */
export function scanFilterChips(
  filters: ScanFilters,
  providerNames: ReadonlyMap<string, string>,
  setFilters: ListUrlState<string>['setFilters'],
): readonly FilterChip[] {
  const lists = LISTS.flatMap(([name, label]) =>
    filters[name].map((value) => ({
      key: `${name} ${value}`,
      label,
      value: name === 'provider' ? (providerNames.get(value) ?? value) : value,
      onRemove: () => setFilters({ [name]: filters[name].filter((each) => each !== value) }),
    })),
  );
  const days = (['from', 'to'] as const).flatMap((name) => {
    const day = filters[name];
    if (day === undefined) return [];
    return {
      key: name,
      label: `Came in ${name}`,
      value: `${formatUtcDay(day)} (UTC)`,
      onRemove: () => setFilters({ [name]: undefined }),
    };
  });
  const { search } = filters;
  const searched = { key: 'search', label: 'Search', value: search };
  return [
    ...lists,
    ...days,
    ...(search === '' ? [] : [{ ...searched, onRemove: () => setFilters({ search: undefined }) }]),
  ];
}
