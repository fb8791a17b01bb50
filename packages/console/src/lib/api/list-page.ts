/** A page of a list with the total counts. */
export interface ListPage<Item> {
  readonly items: readonly Item[];
  readonly pages: number;
  readonly count: number;
}

interface Pagination {
  readonly pages: number;
  readonly count: number;
}

/** Creates a `ListPage`. Throws if the response has no page-based pagination, for example because it uses cursors. */
export function listPage<Item>(items: readonly Item[], pagination: Pagination | undefined): ListPage<Item> {
  if (pagination === undefined) throw new Error('The response has no pagination');
  return { items, pages: pagination.pages, count: pagination.count };
}
