/**
 * What a mutelist says of regions, resources and the like: the text itself, or a regular expression for the whole
 * of it, in which a `*` that follows no `.`, bracket or backslash stands for any text. Upper and lower case differ.
 */
export type Pattern = (text: string) => boolean;

/** Throws a SyntaxError where the text is no regular expression. */
export function readPattern(text: string): Pattern {
  const source = text.replaceAll(/(?<![.)\]}\\])\*/g, '.*');
  const whole = new RegExp(`^(?:${source})$`, 's');
  return (value) => value === text || whole.test(value);
}
