import { z } from 'zod';

/** Control characters, and what breaks a line. */
const CONTROL = '\\x00-\\x1f\\x7f-\\x9f\u2028\u2029';

/**
 * The pattern of a text of one line with a character that can be seen, and none of `CONTROL`. In a form that generators of
 * clients understand in every language: no properties of Unicode, no lookahead, no escapes of four digits. `invisible`:
 * further characters that cannot be seen, `around`: what may stand around the line, `refused`: further characters that it
 * may not have.
 */
export function linePattern(invisible = '', around = '', refused = ''): string {
  const any = `[^${CONTROL}${refused}]*`;
  return `^${around}${any}[^\\s${CONTROL}${refused}${invisible}]${any}${around}$`;
}

const MAX_CHARACTERS = 100;
const LINE = linePattern();
const line = new RegExp(LINE, 'u');

/** What a person calls a role, a key or a provider: 1 to 100 characters. `what` names it in the error. */
export function shortText(what: string) {
  const message = `Give ${what} of 1 to ${MAX_CHARACTERS} characters, not all of them blanks, without control characters`;
  return z
    .string()
    .refine((text) => line.test(text) && text.isWellFormed() && [...text].length <= MAX_CHARACTERS, message)
    .meta({ pattern: LINE, minLength: 1, maxLength: MAX_CHARACTERS });
}
