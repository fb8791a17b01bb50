/**
 * What no text format carries well: control characters but tab and line breaks (a terminal obeys them, XML 1.0
 * section 2.2 forbids them) and the two noncharacters that XML forbids.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to find
const UNPRINTABLE = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\ufffe\uffff]/g;

/** The text with U+FFFD in the place of each character that cannot be shown, lone surrogates included. */
export function visibleText(text: string): string {
  return text.toWellFormed().replace(UNPRINTABLE, '\u{fffd}');
}
