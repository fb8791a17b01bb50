import { useQuery } from '@tanstack/react-query';
import { X } from 'lucide-react';
import { Button } from '../../../components/button.tsx';
import { useApi } from '../../../lib/api/api.ts';
import { FILTER_NAMES, FILTERS, type FilterName } from '../api/filters.ts';
import { summaryQuery } from '../api/summarize-findings.ts';
import styles from './filter-chips.module.css';
import type { FindingSearch } from './use-finding-search.ts';

/** They show what is chosen themselves. */
const WITH_BUTTONS: readonly FilterName[] = ['status', 'severity', 'search'];
/** So much of an id tells it from others. */
const ID_LENGTH = 8;

/** What the list is narrowed to, each with a way to take it off again; those that only links set have no other. */
export function FilterChips({ search }: { readonly search: FindingSearch }) {
  const { filters, setFilters, clearFilters } = search;
  const chips = FILTER_NAMES.filter((name) => !WITH_BUTTONS.includes(name)).flatMap((name) =>
    (filters[name] ?? []).map((value) => ({ name, value })),
  );
  const providerName = useProviderName(filters.provider !== undefined);
  if (Object.keys(filters).length === 0) return null;
  const textOf = (name: FilterName, value: string) => {
    if (name === 'provider') return providerName(value) ?? `${value.slice(0, ID_LENGTH)}…`;
    if (name === 'scan' || name === 'ingestion') return `${value.slice(0, ID_LENGTH)}…`;
    return name === 'muted' ? { true: 'yes', false: 'no' }[value] : value;
  };
  return (
    <fieldset aria-label="Filters in force" className={styles.chips}>
      {chips.map(({ name, value }) => (
        <button
          key={`${name} ${value}`}
          type="button"
          className={styles.chip}
          title={value}
          aria-label={`Remove the filter ${FILTERS[name].label}: ${value}`}
          onClick={() => setFilters({ [name]: filters[name]?.filter((each) => each !== value) ?? [] })}
        >
          <span className={styles.name}>{FILTERS[name].label}</span>
          <span className={styles.value}>{textOf(name, value)}</span>
          <X size={14} aria-hidden="true" />
        </button>
      ))}
      <Button look="quiet" onClick={clearFilters}>
        Clear all filters
      </Button>
    </fieldset>
  );
}

/** Type and account of a provider by its id, as far as it has findings. */
function useProviderName(wanted: boolean): (id: string) => string | undefined {
  const { data } = useQuery({ ...summaryQuery(useApi(), ''), enabled: wanted });
  return (id) => {
    const provider = data?.by_provider.find((each) => each.id === id);
    return provider && `${provider.provider_type} ${provider.account}`;
  };
}
