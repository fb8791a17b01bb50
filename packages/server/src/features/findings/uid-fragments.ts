import { CHECK_ID_PLACEHOLDER } from '../../ingest/merge/uid-pattern.ts';
import { invalidParameter } from '../../jsonapi/errors.ts';
import { isWordCharacter, type SearchWord } from '../../resources/search-words.ts';

export interface SearchedCheck {
  readonly key: string;
  /** The check id in lower case. */
  readonly checkId: string;
}

/**
 * A part of a uid pattern, including the placeholder. If a pattern contains it, the word occurs in the uids of the
 * resource's findings for these checks.
 */
export interface UidFragment extends SearchWord {
  readonly checkKeys: readonly string[];
}

/** Each fragment is compared with all resources. */
const MAX_FRAGMENTS = 200;

/**
 * Returns the fragments of uid patterns for which a word is partly in the check id and partly beside it. A word that is
 * entirely in the check id matches the check, and a word that is entirely beside it matches the pattern.
 * Throws an ApiError (400) if there are too many.
 */
export function uidFragments(word: SearchWord, checks: readonly SearchedCheck[]): readonly UidFragment[] {
  const fragments = new Map<string, { text: string; startsWord: boolean; checkKeys: Set<string> }>();
  for (const { key, checkId } of checks) {
    for (const { text, startsWord } of overlaps(word, checkId)) {
      const id = `${startsWord}${text}`;
      const fragment = fragments.get(id) ?? { text, startsWord, checkKeys: new Set() };
      fragments.set(id, fragment);
      fragment.checkKeys.add(key);
      if (fragments.size > MAX_FRAGMENTS)
        throw invalidParameter(
          'filter[search]',
          'A word contains the IDs of checks at too many positions. Use a shorter word.',
        );
    }
  }
  return Array.from(fragments.values(), (fragment) => ({ ...fragment, checkKeys: [...fragment.checkKeys] }));
}

/** Places the check id at each position of the word where their characters agree. */
function* overlaps({ text: word, startsWord }: SearchWord, checkId: string): Generator<SearchWord> {
  for (const at of positionsOf(checkId, word, startsWord)) {
    if (at < 0 && startsWord && isWordCharacter([...checkId.slice(0, -at)].at(-1) ?? '')) continue;
    const text = `${word.slice(0, Math.max(0, at))}${CHECK_ID_PLACEHOLDER}${word.slice(at + checkId.length)}`;
    yield { text, startsWord: startsWord && at >= 0 };
  }
}

/** Positions of the check id relative to the word: beginning before it, inside, and ending behind it. */
function* positionsOf(checkId: string, word: string, startsWord: boolean): Generator<number> {
  const last = word.length - checkId.length;
  // Directly behind the check id, only a word that must not follow a letter or digit depends on the check id.
  for (let at = (startsWord ? 0 : 1) - checkId.length; at < Math.min(0, last); at += 1)
    if (word.startsWith(checkId.slice(-at))) yield at;
  if (last > 0)
    for (let at = word.indexOf(checkId); at >= 0 && at <= last; at = word.indexOf(checkId, at + 1)) yield at;
  for (let at = Math.max(0, last) + 1; at < word.length; at += 1)
    if (word.endsWith(checkId.slice(0, word.length - at))) yield at;
}
