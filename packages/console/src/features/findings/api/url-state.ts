import { FILTER_NAMES, FILTERS, type FilterName, type Filters } from './filters.ts';

/** What the address says behind the `?`. */
export type Search = Readonly<Record<string, string | undefined>>;

/** The keys of the API that the table can be sorted by. */
const SORT_KEYS = ['severity', 'status', 'last_seen_at', 'first_seen_at', 'check_id'] as const;
type SortKey = (typeof SORT_KEYS)[number];
export type Sort = SortKey | `-${SortKey}`;

const SORTS: readonly Sort[] = SORT_KEYS.flatMap((key) => [key, `-${key}`] as const);
/** The order of the API where none is asked for. */
export const DEFAULT_SORT: Sort = '-severity';

export interface Address {
  readonly filters: Filters;
  readonly sort: Sort;
  /** What the API would refuse, in words. It is left out. */
  readonly dropped: readonly string[];
}

/** Commas stand between values; one that belongs to a value has a backslash before it. */
const BETWEEN_VALUES = /(?<!\\),/;

/** Reads what the address asks for. Never fails: what cannot be asked for is named in `dropped`. */
export function readUrlState(search: Search): Address {
  const dropped: string[] = [];
  const read: [FilterName, readonly string[]][] = [];
  for (const name of FILTER_NAMES) {
    const { isList, label, accepts } = FILTERS[name];
    const texts = splitValues(search[name] ?? '', isList);
    const known = texts.filter((text) => accepts(text) || !dropped.push(`${label} “${text}”`));
    // In a list of the API a comma always ends a value.
    const values =
      known.length < 2
        ? known
        : known.filter((text) => !text.includes(',') || !dropped.push(`${label} “${text}” beside others`));
    if (values.length > 0) read.push([name, values]);
  }
  const sort = SORTS.find((each) => each === search.sort);
  if (search.sort !== undefined && sort === undefined) dropped.push(`Order “${search.sort}”`);
  return { filters: Object.fromEntries(read), sort: sort ?? DEFAULT_SORT, dropped };
}

/** A filter's values as the address has them; `undefined`: without any. */
export function writeValues(name: FilterName, values: readonly string[]): string | undefined {
  if (values.length === 0) return undefined;
  return values.map((value) => (FILTERS[name].isList ? value.replaceAll(',', '\\,') : value)).join();
}

function splitValues(text: string, isList: boolean): readonly string[] {
  const texts = isList ? text.split(BETWEEN_VALUES).map((value) => value.replaceAll('\\,', ',')) : [text];
  return [...new Set(texts.map((value) => value.trim()))].filter((value) => value !== '');
}
