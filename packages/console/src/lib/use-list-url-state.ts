import { useNavigate, useSearch } from '@tanstack/react-router';

/** What the API takes as a page number. */
const PAGE = /^[1-9]\d{0,8}$/;

interface Options<Sort extends string> {
  /** What the list can be sorted by, without the `-` for descending. */
  readonly sorts: readonly Sort[];
  readonly defaultSort: Sort | `-${Sort}`;
}

export interface ListUrlState<Sort extends string> {
  /** What stands behind the `?`: text by name. */
  readonly search: Readonly<Record<string, string | undefined>>;
  /** From 1 on. */
  readonly page: number;
  readonly sort: Sort | `-${Sort}`;
  /** Sets filters: lists with commas; empty ones are left out. The list begins at its first page again. */
  readonly setFilters: (
    filters: Readonly<Record<string, string | readonly string[] | undefined>>,
    options?: { readonly replace?: boolean },
  ) => void;
  /** Takes all filters away; the order stays. */
  readonly clearFilters: () => void;
  readonly setSort: (sort: string) => void;
  readonly setPage: (page: number) => void;
}

/** The state of a list where everybody can see it, share it and go back to it: in the address. */
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
      const texts = Object.entries(filters).map(([name, value]) => [name, textOf(value)] as const);
      change({ ...Object.fromEntries(texts), page: undefined }, replace);
    },
    clearFilters: () =>
      void navigate({ to: '.', search: sort === defaultSort ? {} : { sort }, resetScroll: false }),
    setSort: (next) => change({ sort: next === defaultSort ? undefined : next, page: undefined }),
    setPage: (page) => change({ page: page === 1 ? undefined : String(page) }),
  };
}

function textOf(value: string | readonly string[] | undefined): string | undefined {
  const text = typeof value === 'string' ? value : value?.join(',');
  return text === '' ? undefined : text;
}
