import type { Check } from '../checks/check.ts';
import { ScannerError } from '../scanner-error.ts';
import { suggestion } from './closest-match.ts';

/** What `--status` takes: the statuses of findings, and `MUTED` for those that the mutelist covers. */
export const STATUSES = ['PASS', 'FAIL', 'MANUAL', 'MUTED'] as const;
export type StatusFilter = (typeof STATUSES)[number];

export function servicesOf(checks: readonly Check[]): readonly string[] {
  return [...new Set(checks.map(({ service }) => service))].sort();
}

export function categoriesOf(checks: readonly Check[]): readonly string[] {
  return [...new Set(checks.map(({ category }) => category))].sort();
}

/** What a list of words is about, for the error that names an unknown one. */
export interface ValueDescription {
  /** `check`, `service`, ... */
  readonly noun: string;
  /** Where to see all of them, where they are too many to be named. */
  readonly listedBy?: string;
}

/**
 * The known words that were meant, in the order of `known`; upper and lower case are the same.
 * Throws a ScannerError `unknown_<noun>` (exit code 2) that names the nearest known word.
 */
export function matchKnownValues<Word extends string>(
  words: readonly string[],
  known: readonly Word[],
  { noun, listedBy }: ValueDescription,
): readonly Word[] {
  const meant = new Set(
    words.map((word) => {
      const found = known.find((candidate) => candidate.toLowerCase() === word.toLowerCase());
      if (found !== undefined) return found;
      const all = listedBy === undefined ? `known are ${known.join(', ')}` : `${listedBy} shows all`;
      const unknown = `there is no ${noun} '${word}'${suggestion(word, known, all)}`;
      throw new ScannerError(`unknown_${noun.replaceAll(' ', '_')}`, unknown, { exitCode: 2 });
    }),
  );
  return known.filter((candidate) => meant.has(candidate));
}

/** The same for one word. */
export function matchKnownValue<Word extends string>(
  word: string,
  known: readonly Word[],
  noun: string,
): Word {
  const [meant] = matchKnownValues([word], known, { noun });
  if (meant === undefined) throw new Error(`matchKnownValues gave nothing for the ${noun} '${word}'`);
  return meant;
}
