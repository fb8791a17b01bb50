import { useNavigate, useSearch } from '@tanstack/react-router';

/** The page numbers that the API accepts. */
const PAGE = /^[1-9]\d{0,8}$/;

interface Options<Sort extends string> {
  /** The sort keys of the list, without the `-` prefix for descending order. */
  readonly sorts: readonly Sort[];
  readonly defaultSort: Sort | `-${Sort}`;
}

export interface ListUrlState<Sort extends string> {
  /** Query parameters by name. */
  readonly search: Readonly<Record<string, string | undefined>>;
  /** Starts at 1. */
  readonly page: number;
  readonly sort: Sort | `-${Sort}`;
  /** Sets filters and returns to the first page. Empty filters are removed from the URL. */
  readonly setFilters: (
    filters: Readonly<Record<string, string | readonly string[] | undefined>>,
    options?: { readonly replace?: boolean },
  ) => void;
  /** Removes all filters and keeps the sort order. */
  readonly clearFilters: () => void;
  readonly setSort: (sort: string) => void;
  readonly setPage: (page: number) => void;
}

/** Keeps a list's state in the URL, so that the list can be shared and the back button works. */
export function useListUrlState<Sort extends string>({
  sorts,
  defaultSort,
}: Options<Sort>): ListUrlState<Sort> {
  const search = useSearch({ strict: false });
  const navigate = useNavigate();
  const orders = sorts.flatMap((name) => [name, `-${name}`] as const);
  const sort = orders.find((order) => order === search.sort) ?? defaultSort;
  const change = (changes: Record<string, string | undefined>, replace = false) =>
    void navigate({
      to: '.',
      search: (before: Record<string, string | undefined>) => ({ ...before, ...changes }),
      replace,
      resetScroll: false,
    });
  return {
    search,
    page: PAGE.test(search.page ?? '') ? Number(search.page) : 1,
    sort,
    setFilters: (filters, { replace } = {}) => {
      const parameters = Object.entries(filters).map(([name, value]) => [name, joinValues(value)] as const);
      change({ ...Object.fromEntries(parameters), page: undefined }, replace);
    },
    clearFilters: () =>
      void navigate({ to: '.', search: sort === defaultSort ? {} : { sort }, resetScroll: false }),
    setSort: (next) => change({ sort: next === defaultSort ? undefined : next, page: undefined }),
    setPage: (page) => change({ page: page === 1 ? undefined : String(page) }),
  };
}

function joinValues(value: string | readonly string[] | undefined): string | undefined {
  const text = typeof value === 'string' ? value : value?.join(',');
  return text === '' ? undefined : text;
}
