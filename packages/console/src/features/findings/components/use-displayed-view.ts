import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useApi } from '../../../lib/api/api.ts';
import { pageQuery, type View } from '../api/list-findings.ts';

/** The maximum number of rows in the table. Pages beyond this limit would take seconds to load. */
export const MAX_ROWS = 100_000;

export interface DisplayedView {
  /** The displayed view, which is the previous view until the first rows of the requested view are loaded. */
  readonly view: View;
  /** The number of findings; `undefined` while the first view is loading. */
  readonly count: number | undefined;
  /** Whether another view is loading. */
  readonly isChanging: boolean;
  readonly error: Error | null;
  readonly retry: () => void;
}

/** Keeps the current view until the requested view is loaded. `requested` must be memoized. */
export function useDisplayedView(requested: View): DisplayedView {
  const api = useApi();
  const [displayed, setDisplayed] = useState(requested);
  const next = useQuery(pageQuery(api, requested, 0));
  const current = useQuery({ ...pageQuery(api, displayed, 0), enabled: displayed === requested });
  if (displayed !== requested && (next.data !== undefined || current.data === undefined))
    setDisplayed(requested);
  return {
    view: displayed,
    count: current.data?.count,
    isChanging: displayed !== requested && next.data === undefined,
    error: next.error,
    retry: () => void next.refetch(),
  };
}
