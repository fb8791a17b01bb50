import { type Read, read } from '../read.ts';
import type { Ranked } from '../snapshot.ts';

/** Each element once, in the order of the API; a list that changed while it was paged may tell one twice. */
export function oncePerId<Element extends { readonly id: string }>(list: readonly Element[]): Element[] {
  return [...new Map(list.map((element) => [element.id, element])).values()];
}

/** As the directory evaluates policies and rules: by priority, those without one last. */
export function byPriority<Element extends Ranked>(list: readonly Element[]): Element[] {
  return oncePerId(list).sort(
    (a, b) => rank(a) - rank(b) || compareTexts(a.name, b.name) || compareTexts(a.id, b.id),
  );
}

/** By code units: the order must not depend on the language of the machine. */
export function compareTexts(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}

/** Changes the value of a read that succeeded. */
export function mapRead<From, To>(from: Read<From>, change: (value: From) => To): Read<To> {
  return from.kind === 'read' ? read(change(from.value)) : from;
}

/** The largest number instead of infinity, which cannot be subtracted from itself. */
function rank({ priority }: Ranked): number {
  return priority ?? Number.MAX_VALUE;
}
