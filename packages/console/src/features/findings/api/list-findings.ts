import { queryOptions } from '@tanstack/react-query';
import { type Api, readDocument } from '../../../lib/api/api.ts';
import type { Finding } from '../../../lib/api/types.ts';
import type { Sort } from './url-state.ts';
import { withFilters } from './with-filters.ts';

export const PAGE_SIZE = 100;
/** A page that nobody sees any more is kept for so long: a fast hand sees very many. */
const RETENTION_MS = 60_000;

export type FindingField = keyof Finding['attributes'];

/** What a table of findings shows: which, in what order, and what of them. */
export interface View {
  /** As `filterQuery` writes them. */
  readonly filters: string;
  readonly sort: Sort;
  readonly fields: readonly FindingField[];
}

/** A row of the table: of the attributes only those that its view asks for are there. */
export interface FindingRow {
  readonly id: string;
  readonly attributes: Partial<Finding['attributes']>;
}

export interface FindingPage {
  /** From 0 on. */
  readonly page: number;
  readonly rows: readonly FindingRow[];
  /** Of all pages. */
  readonly count: number;
}

/** The key of all pages of a view. */
export const viewKey = (view: View) => ['findings', 'page', view] as const;

/** A page of the view, from 0 on. */
export const pageQuery = (api: Api, view: View, page: number) =>
  queryOptions({
    queryKey: [...viewKey(view), page],
    queryFn: async ({ signal }): Promise<FindingPage> => {
      const { data, meta } = await readDocument(
        api.GET('/api/v1/findings', {
          params: {
            query: {
              'fields[findings]': [...view.fields],
              sort: [view.sort],
              'page[size]': PAGE_SIZE,
              'page[number]': page + 1,
            },
          },
          signal,
          ...withFilters(view.filters),
        }),
      );
      const rows = data.map(({ id, attributes }) => ({ id, attributes }));
      return { page, rows, count: meta.pagination?.count ?? rows.length };
    },
    gcTime: RETENTION_MS,
  });
