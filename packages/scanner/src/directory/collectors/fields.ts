import { z } from 'zod';
import { type Read, read } from '../read-result.ts';
import type { NetworkCondition, Ranked } from '../snapshot.ts';

/** Fields of a snapshot. A missing field, or one with an unexpected type, is `null`. */
export const text = z.string().nullable().catch(null);
export const number = z.number().nullable().catch(null);
export const flag = z.boolean().nullable().catch(null);

/** The only required field: without it, objects cannot be distinguished. */
export const id = z.string().min(1);

/** A nested object. If it is missing, all of its fields are missing. */
export function part<Shape extends z.ZodRawShape>(shape: Shape) {
  const object = z.object(shape);
  return object.catch(() => object.parse({}));
}

const entry = z.union([z.string(), z.object({ value: z.string() }).transform(({ value }) => value)]);

/** A list of strings, or of objects with a string `value`; other entries are ignored. */
export const texts = z
  .array(entry.nullable().catch(null))
  .catch([])
  .transform((entries) => entries.filter((value) => value !== null));

export const network = part({
  connection: text,
  include: texts,
  exclude: texts,
}) satisfies z.ZodType<NetworkCondition>;

/** The fields that policies and their rules share. */
export const rankedShape = {
  id,
  name: text,
  priority: number,
  status: text,
  system: z.boolean().catch(false),
};

interface RankedFields extends Omit<Ranked, 'name'> {
  readonly name: string | null;
}

/** Selects the shared fields; the ID replaces a missing name. */
export function ranked({ id, name, priority, status, system }: RankedFields): Ranked {
  return { id, name: name ?? id, priority, status, system };
}

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

/** Uses the largest number instead of infinity, because the difference between two infinities is NaN. */
function rank({ priority }: Ranked): number {
  return priority ?? Number.MAX_VALUE;
}

/** Compares by code units, so that the order does not depend on the locale. */
export function compareTexts(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}

/** Applies a function to the value of a successful read. */
export function mapRead<From, To>(from: Read<From>, change: (value: From) => To): Read<To> {
  return from.kind === 'read' ? read(change(from.value)) : from;
}
