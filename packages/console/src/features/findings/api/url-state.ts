import { FILTER_NAMES, FILTERS, type FilterName, type Filters, isDefault } from './filters.ts';

/** Query parameters by name. */
export type Search = Readonly<Record<string, string | undefined>>;

/** The API sort keys that the table supports. */
const SORT_KEYS = ['severity', 'status', 'last_seen_at', 'first_seen_at', 'check_id'] as const;
type SortKey = (typeof SORT_KEYS)[number];
export type Sort = SortKey | `-${SortKey}`;

const SORTS: readonly Sort[] = SORT_KEYS.flatMap((key) => [key, `-${key}`] as const);
/** The API's default sort order. */
const DEFAULT_SORT: Sort = '-severity';

export interface UrlState {
  readonly filters: Filters;
  readonly sort: Sort;
  /** Descriptions of the invalid values, which are ignored. */
  readonly dropped: readonly string[];
}

/** Commas separate values. A comma in a value is escaped with a backslash. */
const VALUE_SEPARATOR = /(?<!\\),/;

/** Parses filters and sort order from the URL. Never fails: invalid values are listed in `dropped`. */
export function readUrlState(search: Search): UrlState {
  const dropped: string[] = [];
  const read: [FilterName, readonly string[]][] = [];
  for (const name of FILTER_NAMES) {
    const { isList, label, accepts } = FILTERS[name];
    const texts = splitValues(search[name] ?? '', isList);
    const known = texts.filter((text) => accepts(text) || !dropped.push(`${label} “${text}”`));
    // Commas in API lists can't be escaped, so a value that contains a comma can only be used alone.
    const values =
      known.length < 2
        ? known
        : known.filter(
            (text) =>
              !text.includes(',') ||
              !dropped.push(`${label} “${text}” (contains a comma and can't be combined with other values)`),
          );
    if (!isDefault(name, values)) read.push([name, values]);
  }
  const sort = SORTS.find((each) => each === search.sort);
  if (search.sort !== undefined && sort === undefined) dropped.push(`Sort “${search.sort}”`);
  return { filters: Object.fromEntries(read), sort: sort ?? DEFAULT_SORT, dropped };
}

/** Formats a filter's values for the URL. Returns `undefined` for the default. */
export function writeValues(name: FilterName, values: readonly string[]): string | undefined {
  if (isDefault(name, values)) return undefined;
  return values.map((value) => (FILTERS[name].isList ? value.replaceAll(',', '\\,') : value)).join();
}

function splitValues(text: string, isList: boolean): readonly string[] {
  const texts = isList ? text.split(VALUE_SEPARATOR).map((value) => value.replaceAll('\\,', ',')) : [text];
  return [...new Set(texts.map((value) => value.trim()))].filter((value) => value !== '');
}
