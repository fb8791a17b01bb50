import { z } from 'zod';

/** Control characters and line separators. */
const CONTROL = '\\x00-\\x1f\\x7f-\\x9f\u2028\u2029';

/**
 * A pattern for a single line with at least one visible character and no control characters. Uses only syntax that
 * client generators for all languages support: no Unicode properties, no lookahead, no four-digit escapes. `invisible`
 * lists additional invisible characters, `around` is a pattern allowed before and after the line, and `forbidden` lists
 * further characters to reject.
 */
export function linePattern(invisible = '', around = '', forbidden = ''): string {
  const any = `[^${CONTROL}${forbidden}]*`;
  return `^${around}${any}[^\\s${CONTROL}${forbidden}${invisible}]${any}${around}$`;
}

const MAX_CHARACTERS = 100;
const LINE = linePattern();
const line = new RegExp(LINE, 'u');

/** The name of a role, a key or a provider: 1 to 100 characters. */
export function shortText() {
  const message = `Use 1 to ${MAX_CHARACTERS} characters, at least one of them visible, without control characters.`;
  return z
    .string()
    .refine((text) => line.test(text) && text.isWellFormed() && [...text].length <= MAX_CHARACTERS, message)
    .meta({ pattern: LINE, minLength: 1, maxLength: MAX_CHARACTERS });
}
