import { type UseQueryResult, useQueries } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import { useApi } from '../../../lib/api/api.ts';
import { type FindingPage, type FindingRow, PAGE_SIZE, pageQuery, type View } from '../api/list-findings.ts';

/**
 * How long a page must be visible before it is loaded, in milliseconds. Dragging the scroll bar passes hundreds of
 * pages.
 */
const DEBOUNCE_MS = 90;
/** The number of rows to load above and below the visible ones. */
const MARGIN = 30;

export interface VisibleRow {
  /** The index in the list, starting at 0. */
  readonly index: number;
  readonly finding: FindingRow;
}

interface Rows {
  readonly rows: readonly VisibleRow[];
  /** The error if some rows failed to load. */
  readonly error: Error | undefined;
}

/** Returns the loaded rows from `first` to `last` with a margin, and loads missing rows. */
export function useRows(
  view: View,
  { first, last, count }: { first: number; last: number; count: number },
): Rows {
  const api = useApi();
  const from = Math.floor(Math.max(first - MARGIN, 0) / PAGE_SIZE);
  const to = Math.floor(Math.min(last + MARGIN, Math.max(count - 1, 0)) / PAGE_SIZE);
  const settled = useDebouncedRange(from, to);
  const queries = useMemo(
    () =>
      Array.from({ length: to - from + 1 }, (_, index) => from + index).map((page) => ({
        ...pageQuery(api, view, page),
        enabled: page >= settled.from && page <= settled.to,
      })),
    [api, view, from, to, settled],
  );
  const { pages, error } = useQueries({ queries, combine });
  const rows = useMemo(
    () =>
      pages.flatMap(({ page, rows }) =>
        rows.map((finding, at): VisibleRow => ({ index: page * PAGE_SIZE + at, finding })),
      ),
    [pages],
  );
  return { rows, error };
}

function combine(results: UseQueryResult<FindingPage, Error>[]) {
  return {
    pages: results.flatMap(({ data }) => data ?? []),
    error: results.find(({ data, error }) => data === undefined && error !== null)?.error ?? undefined,
  };
}

/** Debounces a range of pages. */
function useDebouncedRange(from: number, to: number): { readonly from: number; readonly to: number } {
  const [settled, setSettled] = useState({ from, to });
  useEffect(() => {
    const timer = setTimeout(() => setSettled({ from, to }), DEBOUNCE_MS);
    return () => clearTimeout(timer);
  }, [from, to]);
  return settled;
}
