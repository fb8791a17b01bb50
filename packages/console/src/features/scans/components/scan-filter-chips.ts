import type { FilterChip } from '../../../components/filter-chips.tsx';
import { capitalize } from '../../../lib/capitalize.ts';
import { formatUtcDay } from '../../../lib/format-time.ts';
import { providerTypeLabel } from '../../../lib/provider-type-label.ts';
import type { ListUrlState } from '../../../lib/use-list-url-state.ts';
import type { ScanFilters } from '../api/scan-filters.ts';

/** The list filters, in the order of their chips. */
const LISTS = [
  ['provider_type', 'Provider type'],
  ['account', 'Account'],
  ['provider', 'Provider'],
  ['ingestion', 'Upload'],
  ['uid', 'Scan ID'],
] as const;

/** Returns a chip for each active filter. `providerNames` maps provider IDs to display names. */
export function scanFilterChips(
  filters: ScanFilters,
  providerNames: ReadonlyMap<string, string>,
  setFilters: ListUrlState<string>['setFilters'],
): readonly FilterChip[] {
  const formatValue = (name: string, value: string) => {
    if (name === 'provider_type') return providerTypeLabel(value);
    return name === 'provider' ? (providerNames.get(value) ?? value) : value;
  };
  const lists = LISTS.flatMap(([name, label]) =>
    filters[name].map((value) => ({
      key: `${name} ${value}`,
      label,
      value: formatValue(name, value),
      onRemove: () => setFilters({ [name]: filters[name].filter((each) => each !== value) }),
    })),
  );
  const days = (['from', 'to'] as const).flatMap((name) => {
    const day = filters[name];
    if (day === undefined) return [];
    return {
      key: name,
      label: name === 'from' ? 'Uploaded from' : 'Uploaded until',
      value: `${formatUtcDay(day)} (UTC)`,
      onRemove: () => setFilters({ [name]: undefined }),
    };
  });
  const texts = (['label', 'search'] as const).flatMap((name) => {
    const value = filters[name];
    if (value === undefined || value === '') return [];
    return { key: name, label: capitalize(name), value, onRemove: () => setFilters({ [name]: undefined }) };
  });
  return [...lists, ...days, ...texts];
}
