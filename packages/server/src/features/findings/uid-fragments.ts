import { CHECK_ID_PLACEHOLDER } from '../../ingest/merge/uid-pattern.ts';
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

/**
 * Returns the fragments of uid patterns for which a word is partly in the check id and partly beside it. A word that is
 * entirely in the check id matches the check, and a word that is entirely beside it matches the pattern.
 */
export function uidFragments(word: SearchWord, checks: readonly SearchedCheck[]): readonly UidFragment[] {
  const fragments = new Map<string, { text: string; startsWord: boolean; checkKeys: Set<string> }>();
  for (const { key, checkId } of checks) {
    for (const { text, startsWord } of overlaps(word, checkId)) {
      const id = `${startsWord}${text}`;
      const fragment = fragments.get(id) ?? { text, startsWord, checkKeys: new Set() };
      fragments.set(id, fragment);
      fragment.checkKeys.add(key);
    }
  }
  return Array.from(fragments.values(), (fragment) => ({ ...fragment, checkKeys: [...fragment.checkKeys] }));
}

/** Places the check id at each position of the word where their characters agree. */
function* overlaps({ text: word, startsWord }: SearchWord, checkId: string): Generator<SearchWord> {
  // Directly behind the check id, only a word that must not follow a letter or digit depends on the check id.
  const first = startsWord ? -checkId.length : 1 - checkId.length;
  for (let at = first; at < word.length; at += 1) {
    const end = at + checkId.length;
    const isInside = at <= 0 && end >= word.length;
    const common = checkId.slice(Math.max(0, -at), word.length - at);
    if (isInside || !word.startsWith(common, Math.max(0, at))) continue;
    if (at < 0 && startsWord && isWordCharacter([...checkId.slice(0, -at)].at(-1) ?? '')) continue;
    const text = `${word.slice(0, Math.max(0, at))}${CHECK_ID_PLACEHOLDER}${word.slice(end)}`;
    yield { text, startsWord: startsWord && at >= 0 };
  }
}
