const START = '"raw":';
const END = '},"relationships":';

/** The text of `attributes.raw`, the last attribute of a finding, in the text of its document; parsing would lose its spelling. */
export function extractRaw(document: string): string | undefined {
  const start = document.indexOf(START);
  const end = document.lastIndexOf(END);
  return start < 0 || end < start ? undefined : document.slice(start + START.length, end);
}
