import { plainText } from '@sluice/ocsf';
import { linePattern } from '../../jsonapi/schemas.ts';

/** Default ignorable code points (`plainText`) of the Basic Multilingual Plane. */
const INVISIBLE =
  '\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufff8';
/** The character that replaces bytes that the parser could not decode. */
const UNDECODED = '\ufffd';
/** Pattern of a line of text with a visible character, for the API description. `readLine` also checks its length. */
export const LINE_PATTERN = linePattern(INVISIBLE, '\\s*', UNDECODED);
const LINE = new RegExp(LINE_PATTERN, 'u');

/** A valid text in normalization form C without invisible characters, or why the value is invalid. */
export type ReadText =
  | { readonly text: string; readonly fault?: never }
  | { readonly text?: never; readonly fault: string };

/** Reads a line of text with at most this number of UTF-16 code units. `truncated` is whether its end was cut off. */
export function readLine(value: string, maxLength: number, truncated = false): ReadText {
  const text = plainText(value);
  if (truncated || Math.max(value.length, text.length) > maxLength) return { fault: tooLong(maxLength) };
  if (text === '') return { fault: 'The value is blank. Send a value or omit the field.' };
  if (value.includes(UNDECODED) || !value.isWellFormed())
    return { fault: 'The value is not valid UTF-8 or contains U+FFFD. Send valid UTF-8.' };
  if (!LINE.test(value))
    return { fault: 'The value contains control characters or line breaks. Send one line of plain text.' };
  return { text };
}

/** Describes a value that is longer than this number of UTF-16 code units. */
export function tooLong(maxLength: number): string {
  return `The value is longer than ${maxLength} characters.`;
}
