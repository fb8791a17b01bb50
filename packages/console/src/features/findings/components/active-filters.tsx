import { useQueries, useQuery } from '@tanstack/react-query';
import { FilterChips } from '../../../components/filter-chips.tsx';
import { useApi } from '../../../lib/api/api.ts';
import { capitalize } from '../../../lib/capitalize.ts';
import { providerTypeLabel } from '../../../lib/provider-type-label.ts';
import { FILTER_NAMES, FILTERS, type FilterName, type Filters, isChangeFilter } from '../api/filters.ts';
import { scanNameQuery } from '../api/get-scan-name.ts';
import { summaryQuery } from '../api/summarize-findings.ts';
import type { FindingSearch } from './use-finding-search.ts';

/** Enough characters to distinguish IDs. */
const SHORT_ID_LENGTH = 8;

/** The active filters, including filters that are only set by links on other pages. */
export function ActiveFilters({ search }: { readonly search: FindingSearch }) {
  const { filters, setFilters, clearFilters } = search;
  const providerName = useProviderName(filters.provider !== undefined);
  const changeSource = useChangeSources(filters);
  const formatValue = (name: FilterName, value: string): string => {
    if (name === 'muted') return value === 'true' ? 'Yes' : 'No';
    if (name === 'provider_type') return providerTypeLabel(value);
    if (name === 'state' || name === 'status' || name === 'severity' || name === 'delta')
      return capitalize(value.toLowerCase());
    if (name === 'provider') return providerName(value) ?? shortId(value);
    if (isChangeFilter(name)) return changeSource(value);
    return name === 'scan' || name === 'ingestion' ? shortId(value) : value;
  };
  const chips = FILTER_NAMES.flatMap((name) =>
    (filters[name] ?? []).map((value) => ({
      key: `${name} ${value}`,
      label: FILTERS[name].label,
      value: formatValue(name, value),
      onRemove: () => setFilters({ [name]: filters[name]?.filter((each) => each !== value) ?? [] }),
    })),
  );
  return <FilterChips chips={chips} onClear={clearFilters} />;
}

function shortId(id: string): string {
  return `${id.slice(0, SHORT_ID_LENGTH)}…`;
}

/** Returns a function that describes the scans and uploads in the filters for changes by ID. */
function useChangeSources(filters: Filters): (id: string) => string {
  const api = useApi();
  const ids = [...new Set(FILTER_NAMES.filter(isChangeFilter).flatMap((name) => filters[name] ?? []))];
  const names = useQueries({ queries: ids.map((id) => scanNameQuery(api, id)) });
  return (id) => {
    const name = names[ids.indexOf(id)]?.data;
    if (name === null) return `upload ${shortId(id)}`;
    return name ?? shortId(id);
  };
}

/**
 * Returns a function that looks up a provider's type and account by ID. The function only finds providers with
 * findings.
 */
function useProviderName(isEnabled: boolean): (id: string) => string | undefined {
  const { data } = useQuery({ ...summaryQuery(useApi(), ''), enabled: isEnabled });
  return (id) => {
    const provider = data?.by_provider.find((each) => each.id === id);
    return provider && `${providerTypeLabel(provider.provider_type)} ${provider.account}`;
  };
}
