import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { FilterMenu, type FilterOption } from '../../../components/filter-menu.tsx';
import { SearchField } from '../../../components/search-field.tsx';
import { Toolbar } from '../../../components/toolbar.tsx';
import { useApi } from '../../../lib/api/api.ts';
import type { FindingSummary } from '../../../lib/api/types.ts';
import { providerTypeLabel } from '../../../lib/provider-type-label.ts';
import { DELTAS, type FilterName, filterQuery, withoutFilters } from '../api/filters.ts';
import { summaryQuery } from '../api/summarize-findings.ts';
import { DatesFilter } from './dates-filter.tsx';
import styles from './filter-bar.module.css';
import { mergeOptions } from './merge-options.ts';
import { StateFilter } from './state-filter.tsx';
import type { FindingSearch } from './use-finding-search.ts';

/** The search field and the filters that are not facets. */
export function FilterBar({ search }: { readonly search: FindingSearch }) {
  return (
    <Toolbar>
      <SearchField
        label="Search checks, resources, accounts"
        value={search.filters.search?.[0] ?? ''}
        onSearch={(text) => search.setFilters({ search: text === '' ? [] : [text] }, { replace: true })}
      />
      <div className={styles.menus}>
        <StateFilter search={search} />
        <Facet search={search} name="provider_type" label="Provider type" read={providerTypes} />
        <Facet search={search} name="account" label="Account" read={accounts} />
        <Facet search={search} name="service" label="Service" read={services} />
        <Facet search={search} name="delta" label="Change" read={deltas} />
        <Facet search={search} name="muted" label="Muted" read={muted} single />
        <DatesFilter search={search} />
      </div>
    </Toolbar>
  );
}

interface FacetProps {
  readonly search: FindingSearch;
  readonly name: FilterName;
  readonly label: string;
  readonly read: (summary: FindingSummary) => readonly FilterOption<string>[];
  /** Allows at most one value. */
  readonly single?: boolean;
}

/** A filter menu that loads its values and their counts when it opens. The counts ignore this filter. */
function Facet({ search, name, label, read, single = false }: FacetProps) {
  const [hasOpened, setHasOpened] = useState(false);
  const selected = search.filters[name] ?? [];
  const { data } = useQuery({
    ...summaryQuery(useApi(), filterQuery(withoutFilters(search.filters, name))),
    enabled: hasOpened,
  });
  return (
    <FilterMenu
      label={label}
      options={data === undefined ? undefined : mergeOptions(read(data), selected)}
      values={selected}
      onOpenChange={(open) => open && setHasOpened(true)}
      onChange={(values) =>
        search.setFilters({ [name]: single ? values.filter((value) => !selected.includes(value)) : values })
      }
    />
  );
}

const providerTypes = ({ by_provider }: FindingSummary) =>
  by_provider.map(({ provider_type, count }) => ({
    value: provider_type,
    label: providerTypeLabel(provider_type),
    count,
  }));
const accounts = ({ by_provider }: FindingSummary) =>
  by_provider.map(({ account, count }) => ({ value: account, label: account, count }));
const services = ({ by_service }: FindingSummary) =>
  by_service.flatMap(({ service, count }) =>
    service === null ? [] : { value: service, label: service, count },
  );
const deltas = ({ by_delta }: FindingSummary) =>
  DELTAS.map((value) => ({ value, label: DELTA_LABELS[value], count: by_delta[value] }));
const muted = ({ count, muted }: FindingSummary) => [
  { value: 'false', label: 'Not muted', count: count - muted },
  { value: 'true', label: 'Muted', count: muted },
];

const DELTA_LABELS = { new: 'New', changed: 'Changed', unchanged: 'Unchanged' } as const;
