/** A string, a run of blanks, or a single character of JSON text (RFC 8259). */
const TOKENS = /"(?:[^"\\]|\\.)*"|[\t\n\r ]+|[^"\t\n\r ]/gs;

/**
 * JSON text with a line for each value, up to so many characters. Numbers, escapes and names that come twice stay as
 * they are written, which they would not if the text was parsed.
 */
export function indentJson(
  text: string,
  maxLength: number,
): { readonly shown: string; readonly isWhole: boolean } {
  let shown = '';
  let depth = 0;
  let before = '';
  const line = () => `\n${'  '.repeat(depth)}`;
  for (const [token] of text.matchAll(TOKENS)) {
    if (shown.length > maxLength) return { shown, isWhole: false };
    if (/^\s/.test(token)) continue;
    const closes = token === '}' || token === ']';
    if (closes) depth = Math.max(depth - 1, 0);
    if (closes ? !'[{'.includes(before) : '[{,'.includes(before) && before !== '') shown += line();
    shown += token === ':' ? ': ' : token;
    if (token === '{' || token === '[') depth += 1;
    before = token;
  }
  return { shown, isWhole: true };
}
