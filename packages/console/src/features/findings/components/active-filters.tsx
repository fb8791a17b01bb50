import { useQuery } from '@tanstack/react-query';
import { FilterChips } from '../../../components/filter-chips.tsx';
import { useApi } from '../../../lib/api/api.ts';
import { FILTER_NAMES, FILTERS, type FilterName } from '../api/filters.ts';
import { summaryQuery } from '../api/summarize-findings.ts';
import type { FindingSearch } from './use-finding-search.ts';

/** So much of an id tells it from others. */
const ID_LENGTH = 8;

/** What the list is narrowed to; what only links of other pages set can be taken off nowhere else. */
export function ActiveFilters({ search }: { readonly search: FindingSearch }) {
  const { filters, setFilters, clearFilters } = search;
  const providerName = useProviderName(filters.provider !== undefined);
  const textOf = (name: FilterName, value: string): string => {
    if (name === 'muted') return value === 'true' ? 'yes' : 'no';
    if (name === 'provider') return providerName(value) ?? shortId(value);
    return name === 'scan' || name === 'ingestion' ? shortId(value) : value;
  };
  const chips = FILTER_NAMES.flatMap((name) =>
    (filters[name] ?? []).map((value) => ({
      key: `${name} ${value}`,
      label: FILTERS[name].label,
      value: textOf(name, value),
      onRemove: () => setFilters({ [name]: filters[name]?.filter((each) => each !== value) ?? [] }),
    })),
  );
  return <FilterChips chips={chips} onClear={clearFilters} />;
}

function shortId(id: string): string {
  return `${id.slice(0, ID_LENGTH)}…`;
}

/** Type and account of a provider by its id, as far as it has findings. */
function useProviderName(wanted: boolean): (id: string) => string | undefined {
  const { data } = useQuery({ ...summaryQuery(useApi(), ''), enabled: wanted });
  return (id) => {
    const provider = data?.by_provider.find((each) => each.id === id);
    return provider && `${provider.provider_type} ${provider.account}`;
  };
}
