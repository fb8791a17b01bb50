/**
 * A mutelist pattern: a literal, or a regular expression that must match the complete string. A `*` that does not
 * follow a `.`, bracket or backslash matches any text. Patterns are case-sensitive.
 */
export type Pattern = (text: string) => boolean;

/** Throws a SyntaxError if the text is not a valid regular expression. */
export function readPattern(text: string): Pattern {
  const source = text.replaceAll(/(?<![.)\]}\\])\*/g, '.*');
  const expression = new RegExp(`^(?:${source})$`, 's');
  return (value) => value === text || expression.test(value);
}
