/** A string, white space, or a single character of JSON text (RFC 8259). */
const TOKENS = /"(?:[^"\\]|\\.)*"|[\t\n\r ]+|[^"\t\n\r ]/gs;

/**
 * Indents JSON text, up to `maxLength` characters. Preserves numbers, escapes and duplicate names, which parsing would
 * not.
 */
export function indentJson(
  text: string,
  maxLength: number,
): { readonly formatted: string; readonly isComplete: boolean } {
  let formatted = '';
  let depth = 0;
  let previous = '';
  const line = () => `\n${'  '.repeat(depth)}`;
  for (const [token] of text.matchAll(TOKENS)) {
    if (formatted.length > maxLength) return { formatted, isComplete: false };
    if (/^\s/.test(token)) continue;
    const closes = token === '}' || token === ']';
    if (closes) depth = Math.max(depth - 1, 0);
    if (closes ? !'[{'.includes(previous) : '[{,'.includes(previous) && previous !== '') formatted += line();
    formatted += token === ':' ? ': ' : token;
    if (token === '{' || token === '[') depth += 1;
    previous = token;
  }
  return { formatted, isComplete: true };
}
