import { closest, distance } from 'fastest-levenshtein';

/** The most similar known word; `undefined` if every known word differs in more than a third of its letters. */
export function nearestWord(word: string, known: Iterable<string>): string | undefined {
  const similar = [...known].filter((each) => distance(word, each) <= Math.max(word.length, each.length) / 3);
  return similar.length === 0 ? undefined : closest(word, similar);
}
