const START = '"attributes":{"raw":';
const END = '},"relationships":';

/**
 * Extracts the raw record from a document whose only attribute is `raw`. `JSON.parse` would lose duplicate keys, number
 * formatting and white space.
 */
export function extractRawRecord(document: string): string {
  const start = document.indexOf(START);
  // Finds the last occurrence, because the record can contain this string but nothing after the record can.
  const end = document.lastIndexOf(END);
  if (start < 0 || end < start) throw new Error('The response contains no record');
  return document.slice(start + START.length, end);
}
