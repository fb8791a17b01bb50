import { useNavigate, useSearch } from '@tanstack/react-router';
import { useMemo } from 'react';
import { FILTER_NAMES, type FilterName } from '../api/filters.ts';
import { readUrlState, type Sort, type UrlState, writeValues } from '../api/url-state.ts';

export interface FindingSearch extends UrlState {
  /** The ID of the open finding. */
  readonly finding: string | undefined;
  /** Sets one or more filters. An empty list removes the filter. */
  readonly setFilters: (
    values: Readonly<Partial<Record<FilterName, readonly string[]>>>,
    options?: { readonly replace?: boolean },
  ) => void;
  readonly clearFilters: () => void;
  readonly setSort: (sort: string) => void;
  readonly openFinding: (id: string | undefined, options?: { readonly replace?: boolean }) => void;
  /** Removes the invalid values from the URL. */
  readonly removeDropped: () => void;
}

/** Reads and updates the state of the findings page in the URL. */
export function useFindingSearch(): FindingSearch {
  const search = useSearch({ from: '/findings' });
  const navigate = useNavigate({ from: '/findings' });
  return useMemo(() => {
    const state = readUrlState(search);
    const go = (change: Readonly<Record<string, string | undefined>>, replace = false) =>
      void navigate({
        to: '/findings',
        search: (before) => ({ ...before, ...change }),
        replace,
        resetScroll: false,
      });
    const serialize = (values: Readonly<Partial<Record<FilterName, readonly string[]>>>) =>
      Object.fromEntries(
        FILTER_NAMES.flatMap((name) => {
          const chosen = values[name];
          return chosen === undefined ? [] : [[name, writeValues(name, chosen)]];
        }),
      );
    const all = { ...Object.fromEntries(FILTER_NAMES.map((name) => [name, []])), ...state.filters };
    return {
      ...state,
      finding: search.finding,
      setFilters: (values, { replace = false } = {}) =>
        go({ ...serialize(values), finding: undefined }, replace),
      clearFilters: () =>
        go(Object.fromEntries([...FILTER_NAMES, 'finding'].map((name) => [name, undefined]))),
      setSort: (sort: Sort | string) => go({ sort }),
      openFinding: (id, { replace = false } = {}) => go({ finding: id }, replace),
      removeDropped: () => go({ ...serialize(all), sort: state.sort }, true),
    };
  }, [search, navigate]);
}
