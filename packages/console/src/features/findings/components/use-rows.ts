import { type UseQueryResult, useQueries } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import { useApi } from '../../../lib/api/api.ts';
import { type FindingPage, type FindingRow, PAGE_SIZE, pageQuery, type View } from '../api/list-findings.ts';

/** A page is asked for when it has been in sight for so long: a hand on the scroll bar passes hundreds of them. */
const DEBOUNCE_MS = 90;
/** Rows around those in sight that are asked for as well. */
const MARGIN = 30;

export interface VisibleRow {
  /** Its place in the list, from 0 on. */
  readonly index: number;
  readonly finding: FindingRow;
}

interface Rows {
  readonly rows: readonly VisibleRow[];
  /** Why some of them are not there. */
  readonly error: Error | undefined;
}

/** The rows from `first` to `last` as far as they are there, with those around them; the others are asked for. */
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
      Array.from({ length: to - from + 1 }, (_, at) => from + at).map((page) => ({
        ...pageQuery(api, view, page),
        enabled: page >= settled.from && page <= settled.to,
      })),
    [api, view, from, to, settled],
  );
  const { found, error } = useQueries({ queries, combine });
  const rows = useMemo(
    () =>
      found.flatMap(({ page, rows }) =>
        rows.map((finding, at): VisibleRow => ({ index: page * PAGE_SIZE + at, finding })),
      ),
    [found],
  );
  return { rows, error };
}

function combine(results: UseQueryResult<FindingPage, Error>[]) {
  return {
    found: results.flatMap(({ data }) => data ?? []),
    error: results.find(({ data, error }) => data === undefined && error !== null)?.error ?? undefined,
  };
}

/** The same numbers, once they have not changed for a moment. */
function useDebouncedRange(from: number, to: number): { readonly from: number; readonly to: number } {
  const [settled, setSettled] = useState({ from, to });
  useEffect(() => {
    const timer = setTimeout(() => setSettled({ from, to }), DEBOUNCE_MS);
    return () => clearTimeout(timer);
  }, [from, to]);
  return settled;
}
