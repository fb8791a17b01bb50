const START = '"raw":';
const END = '},"relationships":';

/**
 * Returns the unparsed value of `attributes.raw`, the last attribute of a finding, from a response body. Parsing the
 * body would lose the formatting of the record.
 */
export function extractRaw(document: string): string | undefined {
  const start = document.indexOf(START);
  const end = document.lastIndexOf(END);
  return start < 0 || end < start ? undefined : document.slice(start + START.length, end);
}
