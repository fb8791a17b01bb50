import { z } from 'zod';
import type { NetworkCondition } from '../snapshot.ts';

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
