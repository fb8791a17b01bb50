import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useApi } from '../../../lib/api/api.ts';
import { pageQuery, type View } from '../api/list-findings.ts';

/** The table shows so many rows at most: pages further back take the service seconds (see the page's sentence on it). */
export const MAX_ROWS = 100_000;

export interface DisplayedView {
  /** The view whose rows are shown: the one before, until the first rows of the new one are there. */
  readonly view: View;
  /** Findings in it; `undefined`: nothing has come yet. */
  readonly count: number | undefined;
  /** Whether the rows of another view are on their way. */
  readonly isChanging: boolean;
  readonly error: Error | null;
  readonly retry: () => void;
}

/** Keeps what is shown until there is something else to show. `wanted` is the same object for the same view. */
export function useDisplayedView(wanted: View): DisplayedView {
  const api = useApi();
  const [shown, setShown] = useState(wanted);
  const next = useQuery(pageQuery(api, wanted, 0));
  const current = useQuery({ ...pageQuery(api, shown, 0), enabled: shown === wanted });
  if (shown !== wanted && (next.data !== undefined || current.data === undefined)) setShown(wanted);
  return {
    view: shown,
    count: current.data?.count,
    isChanging: shown !== wanted && next.data === undefined,
    error: next.error,
    retry: () => void next.refetch(),
  };
}
