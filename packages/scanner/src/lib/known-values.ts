import { distance } from 'fastest-levenshtein';
import { ScannerError } from './errors.ts';

/** Describes the values of a flag in error messages. */
export interface ValueDescription {
  /** The noun for a value, such as `check` or `service`. */
  readonly noun: string;
  /** The command that lists all values, if there are too many for an error message. */
  readonly listedBy?: string;
}

/**
 * Returns the known values for the given words, ignoring case, in the order of `known`. Throws a ScannerError with the
 * code `unknown_<noun>` (exit code 2) that suggests the closest known value.
 */
export function matchKnownValues<Word extends string>(
  words: readonly string[],
  known: readonly Word[],
  { noun, listedBy }: ValueDescription,
): readonly Word[] {
  const matched = new Set(
    words.map((word) => {
      const found = known.find((candidate) => candidate.toLowerCase() === word.toLowerCase());
      if (found !== undefined) return found;
      const all =
        listedBy === undefined ? `valid values are ${known.join(', ')}` : `run ${listedBy} to list all`;
      const unknown = `unknown ${noun} '${word}'${suggestion(word, known, all)}`;
      throw new ScannerError(`unknown_${noun.replaceAll(' ', '_')}`, unknown, { exitCode: 2 });
    }),
  );
  return known.filter((candidate) => matched.has(candidate));
}

/** Like {@link matchKnownValues}, for a single value. */
export function matchKnownValue<Word extends string>(
  word: string,
  known: readonly Word[],
  noun: string,
): Word {
  const [value] = matchKnownValues([word], known, { noun });
  if (value === undefined) throw new Error(`matchKnownValues returned nothing for the ${noun} '${word}'`);
  return value;
}

/** Returns `; did you mean '...'?`, or the alternative advice. */
export function suggestion(word: string, known: readonly string[], otherwise: string): string {
  const match = closestMatch(word, known);
  return match === undefined ? `; ${otherwise}` : `; did you mean '${match}'?`;
}

/** The known word with the smallest edit distance; `undefined` if none is close enough. */
function closestMatch(word: string, known: readonly string[]): string | undefined {
  const typed = word.toLowerCase();
  const ranked = known
    .map((candidate) => ({ candidate, edits: distance(typed, candidate.toLowerCase()) }))
    .sort((one, other) => one.edits - other.edits);
  const best = ranked[0];
  if (best !== undefined && best.edits <= Math.max(2, typed.length * 0.4)) return best.candidate;
  return typed.length < 4 ? undefined : known.find((candidate) => candidate.toLowerCase().includes(typed));
}
