import { invalidParameter } from './errors.ts';
import { quoteNames } from './filters.ts';

/** A sort key: its SQL expression, and the SQL type of its values. */
export interface SortKey {
  readonly sql: string;
  readonly type: string;
  /** Whether values can be null. Nulls sort last in both directions, and cursors do not support them. */
  readonly nullable?: boolean;
}

export type SortKeys = Readonly<Record<string, SortKey>>;

export interface SortTerm extends SortKey {
  readonly descending: boolean;
}

/**
 * Parses the `sort` parameter: comma-separated keys, each with an optional `-` for descending order. Ignores repeated
 * keys.
 */
export function parseSort(text: string, keys: SortKeys): readonly SortTerm[] {
  const terms = new Map<string, SortTerm>();
  for (const word of text.split(',')) {
    const key = word.trim();
    const name = key.startsWith('-') ? key.slice(1) : key;
    const found = Object.hasOwn(keys, name) ? keys[name] : undefined;
    if (found === undefined) {
      const known = quoteNames(Object.keys(keys));
      throw invalidParameter(
        'sort',
        `Unknown sort key '${name}'. Valid keys are ${known}; prefix a key with '-' for descending order.`,
      );
    }
    if (!terms.has(name)) terms.set(name, { ...found, descending: key.startsWith('-') });
  }
  return [...terms.values()];
}

/** The `order by` clause for these terms. */
export function orderBy(terms: readonly SortTerm[]): string {
  return terms
    .map(
      ({ sql, descending, nullable = false }) =>
        `${sql} ${descending ? 'desc' : 'asc'}${nullable ? ' nulls last' : ''}`,
    )
    .join(', ');
}
