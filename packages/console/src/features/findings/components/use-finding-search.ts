import { useNavigate, useSearch } from '@tanstack/react-router';
import { useMemo } from 'react';
import { FILTER_NAMES, type FilterName } from '../api/filters.ts';
import { type Address, readUrlState, type Sort, writeValues } from '../api/url-state.ts';

export interface FindingSearch extends Address {
  /** The id of the finding whose details are open. */
  readonly finding: string | undefined;
  /** Several values of one or more filters at once; empty: none of it. */
  readonly setFilters: (
    values: Readonly<Partial<Record<FilterName, readonly string[]>>>,
    options?: { readonly replace?: boolean },
  ) => void;
  readonly clearFilters: () => void;
  readonly setSort: (sort: string) => void;
  readonly openFinding: (id: string | undefined, options?: { readonly replace?: boolean }) => void;
  /** Writes the address anew without what was dropped. */
  readonly removeDropped: () => void;
}

/** What the address asks for, and how to ask for something else. */
export function useFindingSearch(): FindingSearch {
  const search = useSearch({ from: '/findings' });
  const navigate = useNavigate({ from: '/findings' });
  return useMemo(() => {
    const address = readUrlState(search);
    const go = (change: Readonly<Record<string, string | undefined>>, replace = false) =>
      void navigate({
        to: '/findings',
        search: (before) => ({ ...before, ...change }),
        replace,
        resetScroll: false,
      });
    const written = (values: Readonly<Partial<Record<FilterName, readonly string[]>>>) =>
      Object.fromEntries(
        FILTER_NAMES.flatMap((name) => {
          const chosen = values[name];
          return chosen === undefined ? [] : [[name, writeValues(name, chosen)]];
        }),
      );
    const all = { ...Object.fromEntries(FILTER_NAMES.map((name) => [name, []])), ...address.filters };
    return {
      ...address,
      finding: search.finding,
      setFilters: (values, { replace = false } = {}) =>
        go({ ...written(values), finding: undefined }, replace),
      clearFilters: () =>
        go(Object.fromEntries([...FILTER_NAMES, 'finding'].map((name) => [name, undefined]))),
      setSort: (sort: Sort | string) => go({ sort }),
      openFinding: (id, { replace = false } = {}) => go({ finding: id }, replace),
      removeDropped: () => go({ ...written(all), sort: address.sort }, true),
    };
  }, [search, navigate]);
}
