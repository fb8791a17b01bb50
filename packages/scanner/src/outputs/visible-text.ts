/**
 * Control characters other than tabs and line breaks, which terminals interpret and XML 1.0 forbids (section 2.2), and
 * the two noncharacters that XML forbids.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to find
const UNPRINTABLE = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\ufffe\uffff]/g;

/** Replaces unprintable characters and lone surrogates with U+FFFD. */
export function visibleText(text: string): string {
  return text.toWellFormed().replace(UNPRINTABLE, '\u{fffd}');
}
