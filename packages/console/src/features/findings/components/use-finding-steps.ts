import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useCallback, useState } from 'react';
import { useApi } from '../../../lib/api/api.ts';
import { type FindingPage, PAGE_SIZE, pageQuery, type View, viewKey } from '../api/list-findings.ts';

interface StepsOptions {
  readonly view: View;
  /** The number of rows in the table. */
  readonly count: number;
  /** The ID of the open finding. */
  readonly finding: string | undefined;
  readonly open: (id: string) => void;
}

export interface FindingSteps {
  /** The index of the active row, starting at 0. */
  readonly active: number;
  readonly setActive: (index: number) => void;
  /** The row index of the open finding, starting at 0, or `undefined` if the finding is not among the loaded rows. */
  readonly position: number | undefined;
  /** Returns a function that opens the next or the previous finding, or `undefined` if there is none. */
  readonly stepTo: (step: 1 | -1) => (() => Promise<void>) | undefined;
}

/** Steps through findings in table order, and loads rows as needed. */
export function useFindingSteps({ view, count, finding, open }: StepsOptions): FindingSteps {
  const api = useApi();
  const queryClient = useQueryClient();
  const list = `${view.filters} ${view.sort}`;
  const [row, setRow] = useState({ list, index: 0 });
  const active = row.list === list ? Math.min(row.index, Math.max(count - 1, 0)) : 0;
  const setActive = useCallback((index: number) => setRow({ list, index }), [list]);
  const position = finding === undefined ? undefined : findPosition(queryClient, view, finding, active);

  const stepTo = (step: 1 | -1) => {
    const next = (position ?? Number.NaN) + step;
    if (!(next >= 0 && next < count)) return undefined;
    return async () => {
      const { rows } = await queryClient.fetchQuery(pageQuery(api, view, Math.floor(next / PAGE_SIZE)));
      const id = rows[next % PAGE_SIZE]?.id;
      if (id === undefined) return;
      setActive(next);
      open(id);
    };
  };
  return { active, setActive, position, stepTo };
}

/** `likely` is the index to check first. */
function findPosition(client: QueryClient, view: View, id: string, likely: number): number | undefined {
  const pages = client
    .getQueriesData<FindingPage>({ queryKey: viewKey(view) })
    .flatMap(([, data]) => data ?? []);
  const near = pages.find(({ page }) => page === Math.floor(likely / PAGE_SIZE));
  if (near?.rows[likely % PAGE_SIZE]?.id === id) return likely;
  for (const { page, rows } of pages) {
    const index = rows.findIndex((row) => row.id === id);
    if (index >= 0) return page * PAGE_SIZE + index;
  }
  return undefined;
}
