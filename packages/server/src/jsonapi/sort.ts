import { invalidParameter } from './errors.ts';
import { quoteNames } from './filters.ts';

/** A sort key: the SQL it stands for, and its SQL type, in which a cursor holds it as text. */
export interface SortKey {
  readonly sql: string;
  readonly type: string;
  /** Whether it can be null: then it comes last, in both directions, and no cursor can stand on it. */
  readonly nullable?: boolean;
}

export type SortKeys = Readonly<Record<string, SortKey>>;

export interface SortTerm extends SortKey {
  readonly descending: boolean;
}

/** Reads the `sort` parameter: keys separated by commas, `-` before one for descending order. */
export function parseSort(text: string, keys: SortKeys): readonly SortTerm[] {
  return text.split(',').map((word) => {
    const key = word.trim();
    const name = key.startsWith('-') ? key.slice(1) : key;
    const found = Object.hasOwn(keys, name) ? keys[name] : undefined;
    if (found === undefined) {
      const known = quoteNames(Object.keys(keys));
      throw invalidParameter(
        'sort',
        `Cannot sort by '${name}'; the sort keys are ${known}, with '-' before one for descending order`,
      );
    }
    return { ...found, descending: key.startsWith('-') };
  });
}

/** `order by` of these terms. */
export function orderBy(terms: readonly SortTerm[]): string {
  return terms
    .map(
      ({ sql, descending, nullable = false }) =>
        `${sql} ${descending ? 'desc' : 'asc'}${nullable ? ' nulls last' : ''}`,
    )
    .join(', ');
}
