import { type Read, read } from '../read.ts';
import type { Ranked } from '../snapshot.ts';

/** Removes duplicates, which occur if a list changes during pagination. Keeps the order of the API. */
export function oncePerId<Element extends { readonly id: string }>(list: readonly Element[]): Element[] {
  return [...new Map(list.map((element) => [element.id, element])).values()];
}

/** Sorts policies or rules in evaluation order: by priority, items without a priority last. */
export function byPriority<Element extends Ranked>(list: readonly Element[]): Element[] {
  return oncePerId(list).sort(
    (a, b) => rank(a) - rank(b) || compareTexts(a.name, b.name) || compareTexts(a.id, b.id),
  );
}

/** Compares by code units, so that the order does not depend on the locale. */
export function compareTexts(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}

/** Applies a function to the value of a successful read. */
export function mapRead<From, To>(from: Read<From>, change: (value: From) => To): Read<To> {
  return from.kind === 'read' ? read(change(from.value)) : from;
}

/** Uses the largest number instead of infinity, because the difference between two infinities is NaN. */
function rank({ priority }: Ranked): number {
  return priority ?? Number.MAX_VALUE;
}
