import { queryOptions } from '@tanstack/react-query';
import { type Api, readDocument } from '../../../lib/api/api.ts';
import type { Finding } from '../../../lib/api/types.ts';
import type { Sort } from './url-state.ts';
import { withFilters } from './with-filters.ts';

export const PAGE_SIZE = 100;
/** How long pages that are scrolled out of view stay cached, in milliseconds. Fast scrolling loads many pages. */
const RETENTION_MS = 60_000;

export type FindingField = keyof Finding['attributes'];

/** The filters, sort order and attributes of a findings table. */
export interface View {
  /** From `filterQuery`. */
  readonly filters: string;
  readonly sort: Sort;
  readonly fields: readonly FindingField[];
}

/** A row of the table, with only the attributes that the view requests. */
export interface FindingRow {
  readonly id: string;
  readonly attributes: Partial<Finding['attributes']>;
}

export interface FindingPage {
  /** Starts at 0. */
  readonly page: number;
  readonly rows: readonly FindingRow[];
  /** The total number of findings. */
  readonly count: number;
}

/** The query key that all pages of a view share. */
export const viewKey = (view: View) => ['findings', 'page', view] as const;

/** A page of the view. Pages start at 0. */
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
