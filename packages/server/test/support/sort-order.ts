/** A value by which a list can be sorted; null comes last in both directions. */
export type SortValues = Readonly<Record<string, string | number | null>>;

/**
 * Returns the IDs in the order of a list with these sort keys; `-` means descending. Ties are broken by ID, in the
 * direction of the last key.
 */
export function idsInOrder<Item extends { readonly id: string }>(
  items: readonly Item[],
  keys: readonly string[],
  valuesOf: (item: Item) => SortValues,
): string[] {
  const all = [...keys, keys.at(-1)?.startsWith('-') ? '-id' : 'id'];
  return items
    .map((item) => ({ id: item.id, values: { id: item.id, ...valuesOf(item) } }))
    .sort((a, b) => compare(a.values, b.values, all))
    .map(({ id }) => id);
}

function compare(a: SortValues, b: SortValues, keys: readonly string[]): number {
  for (const key of keys) {
    const name = key.replace('-', '');
    const [left, right] = [a[name], b[name]];
    if (left === undefined || right === undefined) throw new TypeError(`the sort key ${name} has no value`);
    if (left === right) continue;
    if (left === null) return 1;
    if (right === null) return -1;
    return left < right === key.startsWith('-') ? 1 : -1;
  }
  return 0;
}
