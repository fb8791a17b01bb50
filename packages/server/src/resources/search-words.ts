import { CHECK_ID_PLACEHOLDER } from '../ingest/merge/uid-pattern.ts';
import { invalidParameter } from '../jsonapi/errors.ts';

/** A text that is searched for, in any case. */
export interface SearchWord {
  readonly text: string;
  /** Whether it matches only at the beginning of a word of the searched text. */
  readonly startsWord: boolean;
}

/** Longer words match anywhere. */
const SHORT_WORD_MAX = 2;
/** Each word requires reading all resources. */
const MAX_WORDS = 32;
/** The time of a search grows with the length of its words. The IDs of resources and findings are usually shorter. */
const MAX_WORD_CHARACTERS = 500;

/** Explains the syntax in descriptions of filters. */
export const SEARCH_SYNTAX = `Case-insensitive. Words are separated by spaces, and each of them must match. Words of one or two characters match only at the beginning of a word, longer words anywhere. At most ${MAX_WORDS} words of at most ${MAX_WORD_CHARACTERS} characters.`;

/**
 * Splits a search text at white space, and at the placeholder of uid patterns, which uids do not contain. Throws an
 * ApiError (400) if there are too many words or a word is too long.
 */
export function splitWords(text: string): readonly string[] {
  const parts = text.replaceAll(CHECK_ID_PLACEHOLDER, ' ').split(/\s+/u);
  const words = [...new Set(parts.filter((word) => word !== ''))];
  if (words.length > MAX_WORDS)
    throw invalidParameter('filter[search]', `The text has more than ${MAX_WORDS} words. Use fewer words.`);
  if (words.some((word) => [...word].length > MAX_WORD_CHARACTERS))
    throw invalidParameter(
      'filter[search]',
      `A word has more than ${MAX_WORD_CHARACTERS} characters. Use shorter words.`,
    );
  return words;
}

/** The word as it is searched for. */
export function searchWord(text: string): SearchWord {
  const characters = [...text];
  const startsWord = characters.length <= SHORT_WORD_MAX && isWordCharacter(characters[0] ?? '');
  return { text, startsWord };
}

/** Letters and digits form words. All other characters separate them. */
export function isWordCharacter(character: string): boolean {
  return /^[\p{L}\p{N}]$/u.test(character);
}

/**
 * SQL for whether a text in lower case contains the word. `inWord` lists further characters that do not separate words.
 * PostgreSQL also converts the word to lower case, because JavaScript has other rules.
 * The regular expression is evaluated only for texts that contain the word, because it is slow.
 */
export function matchesWord(
  text: string,
  { text: word, startsWord }: SearchWord,
  bind: (value: unknown) => string,
  inWord = '',
): string {
  const contains = `position(lower(${bind(word)}::text) in ${text}) > 0`;
  if (!startsWord) return contains;
  const pattern = bind(`(^|[^[:alnum:]${inWord}])${escapeRegex(word)}`);
  return `case when ${contains} then ${text} ~ lower(${pattern}::text) else false end`;
}

function escapeRegex(text: string): string {
  return text.replace(/[^\p{L}\p{N}]/gu, String.raw`\$&`);
}
