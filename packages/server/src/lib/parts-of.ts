/** Splits a list into consecutive parts. Each has one item, or items whose sizes add up to at most `max`. */
export function partsOf<Item>(
  items: readonly Item[],
  sizeOf: (item: Item) => number,
  max: number,
): readonly (readonly Item[])[] {
  const parts: Item[][] = [];
  let size = Number.POSITIVE_INFINITY;
  for (const item of items) {
    size += sizeOf(item);
    if (size <= max) {
      parts.at(-1)?.push(item);
    } else {
      parts.push([item]);
      size = sizeOf(item);
    }
  }
  return parts;
}
