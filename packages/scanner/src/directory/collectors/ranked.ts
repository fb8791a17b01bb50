import { z } from 'zod';
import type { Ranked } from '../snapshot.ts';
import { id, number, text } from './fields.ts';

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
