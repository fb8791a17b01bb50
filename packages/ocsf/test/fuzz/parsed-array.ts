/** An element of a top-level array according to `JSON.parse`: its bytes [start, end) and its value. */
export interface ParsedElement {
  readonly start: number;
  readonly end: number;
  readonly value: unknown;
}

const SPACE = ' \t\n\r';

/** Decodes the bytes as UTF-8 and parses them with `JSON.parse`. Skips a byte order mark only on request. */
export function parseBytes(bytes: Uint8Array, { skipMark = false } = {}): { value: unknown } | undefined {
  try {
    const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: !skipMark });
    return { value: JSON.parse(decoder.decode(bytes)) };
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof TypeError) return undefined;
    throw error;
  }
}

/**
 * Returns the elements and their positions for an array that `JSON.parse` accepts. Uses only `JSON.parse`: an element
 * ends before the first comma or bracket at which the text so far is valid JSON. This is unambiguous, because only a
 * number can be a prefix of another JSON text, and a number ends at a comma or bracket.
 */
export function locateElements(bytes: Buffer): readonly ParsedElement[] {
  const text = bytes.toString('latin1');
  const elements: ParsedElement[] = [];
  let at = skipSpace(text, text.indexOf('[') + 1);
  while (text[at] !== ']') {
    const element = firstElement(bytes, text, at);
    elements.push(element);
    const next = skipSpace(text, element.end);
    at = text[next] === ',' ? skipSpace(text, next + 1) : next;
  }
  return elements;
}

function firstElement(bytes: Buffer, text: string, start: number): ParsedElement {
  const closer = { '{': '}', '[': ']', '"': '"' }[text.charAt(start)];
  for (let stop = start; stop < text.length; stop++) {
    if (text[stop] !== ',' && text[stop] !== ']') continue;
    const end = start + text.slice(start, stop).replace(/[ \t\n\r]+$/, '').length;
    // An optimization: a container or string can't end with any other byte.
    if (closer !== undefined && text[end - 1] !== closer) continue;
    const parsed = parseBytes(bytes.subarray(start, end));
    if (parsed !== undefined) return { start, end, value: parsed.value };
  }
  throw new Error(`found no element at byte ${start}, although the whole text is valid JSON`);
}

function skipSpace(text: string, start: number): number {
  let at = start;
  while (at < text.length && SPACE.includes(text.charAt(at))) at++;
  return at;
}
