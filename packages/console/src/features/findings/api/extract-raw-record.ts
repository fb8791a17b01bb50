const START = '"attributes":{"raw":';
const END = '},"relationships":';

/**
 * The text of a record in the text of a document with no other attribute than `raw`. `JSON.parse` would lose repeated
 * keys, the spelling of numbers and white space.
 */
export function extractRawRecord(document: string): string {
  const start = document.indexOf(START);
  // After the record nothing contains this.
  const end = document.lastIndexOf(END);
  if (start < 0 || end < start) throw new Error('The finding came without its record');
  return document.slice(start + START.length, end);
}
