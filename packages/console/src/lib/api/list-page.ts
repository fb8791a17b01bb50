/** A page of a list, and how much there is on all of them. */
export interface ListPage<Item> {
  readonly items: readonly Item[];
  readonly pages: number;
  readonly count: number;
}

interface Pagination {
  readonly pages: number;
  readonly count: number;
}

/** Throws where a list comes without its pagination, which only one that was asked for by a cursor does. */
export function listPage<Item>(items: readonly Item[], pagination: Pagination | undefined): ListPage<Item> {
  if (pagination === undefined) throw new Error('the list came without its pagination');
  return { items, pages: pagination.pages, count: pagination.count };
}
