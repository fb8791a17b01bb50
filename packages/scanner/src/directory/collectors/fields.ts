import { z } from 'zod';
import type { NetworkCondition } from '../snapshot.ts';

/** Fields as a snapshot holds them: one that is missing, or has a type that it should not have, is `null`. */
export const text = z.string().nullable().catch(null);
export const number = z.number().nullable().catch(null);
export const flag = z.boolean().nullable().catch(null);

/** The only required field: without it, objects cannot be distinguished. */
export const id = z.string().min(1);

/** An object within an object; where it is missing, all of its fields are. */
export function part<Shape extends z.ZodRawShape>(shape: Shape) {
  const object = z.object(shape);
  return object.catch(() => object.parse({}));
}

const entry = z.union([z.string(), z.object({ value: z.string() }).transform(({ value }) => value)]);

/** A list of texts, or of objects that hold the text as their `value`; entries of another kind say nothing. */
export const texts = z
  .array(entry.nullable().catch(null))
  .catch([])
  .transform((entries) => entries.filter((value) => value !== null));

export const network = part({
  connection: text,
  include: texts,
  exclude: texts,
}) satisfies z.ZodType<NetworkCondition>;
