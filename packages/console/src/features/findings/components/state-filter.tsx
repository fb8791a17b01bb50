import { useQueries } from '@tanstack/react-query';
import { useState } from 'react';
import { FilterMenu } from '../../../components/filter-menu.tsx';
import { useApi } from '../../../lib/api/api.ts';
import { FINDING_STATES } from '../../../lib/api/types.ts';
import { capitalize } from '../../../lib/capitalize.ts';
import { FILTERS, filterQuery } from '../api/filters.ts';
import { summaryQuery } from '../api/summarize-findings.ts';
import type { FindingSearch } from './use-finding-search.ts';

/** Open or resolved findings, or both. Counts each state with its own request, because summaries do not contain it. */
export function StateFilter({ search }: { readonly search: FindingSearch }) {
  const { filters, setFilters } = search;
  const { label, defaultValue } = FILTERS.state;
  const [hasOpened, setHasOpened] = useState(false);
  const selected = FINDING_STATES.filter((state) => (filters.state ?? [defaultValue]).includes(state));
  const api = useApi();
  const counts = useQueries({
    queries: FINDING_STATES.map((state) => ({
      ...summaryQuery(api, filterQuery({ ...filters, state: [state] })),
      enabled: hasOpened,
    })),
  });
  const options = FINDING_STATES.flatMap((value, index) => {
    const count = counts[index]?.data?.count;
    return count === undefined ? [] : { value, label: capitalize(value), count };
  });
  return (
    <FilterMenu
      label={label}
      options={options.length < FINDING_STATES.length ? undefined : options}
      values={selected}
      selectedCount={filters.state?.length ?? 0}
      onOpenChange={(open) => open && setHasOpened(true)}
      onChange={(states) =>
        // Every finding has a state, so deselecting the only selected state selects the other one.
        setFilters({
          state: states.length > 0 ? states : FINDING_STATES.filter((state) => !selected.includes(state)),
        })
      }
    />
  );
}
