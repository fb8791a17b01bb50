import type { FileFaultCode, RecordLimits, RecordSpan } from '../../src/index.ts';

/** The expected splitter result for a file, without fault messages. */
export interface ExpectedSplit {
  readonly spans: readonly RecordSpan[];
  readonly fault: { readonly code: FileFaultCode; readonly byteOffset: number } | undefined;
}

interface Element {
  /** Index after the element; `undefined` if the file ends inside the element. */
  readonly end: number | undefined;
  /** Index of a byte that is not allowed at its position. */
  readonly wrong?: number;
  readonly depth: number;
  readonly keys: number;
}

const SPACE = ' \t\n\r';
const NO_SIZE = { depth: 0, keys: 0 };

/**
 * A simple parser for the file structure. It reads the whole file from memory byte by byte, so there is no state
 * between chunks. It is based on RFC 8259 and on the documentation of the splitter, not on the splitter's code.
 */
export function modelSplit(bytes: Buffer, limits: RecordLimits): ExpectedSplit {
  const text = bytes.toString('latin1');
  const spans: RecordSpan[] = [];
  const stop = (code: FileFaultCode, byteOffset: number): ExpectedSplit => ({
    spans,
    fault: { code, byteOffset },
  });
  /** Handles a byte that is not allowed. Zero bytes at the start indicate UTF-16 or UTF-32. */
  const unexpected = (at: number) =>
    stop(text[at] === '\0' && at < 4 ? 'unsupported_encoding' : 'invalid_json', at);

  const mark = '\xef\xbb\xbf';
  if (text.startsWith(mark.slice(0, 2)) && !text.startsWith(mark) && text.length > 2)
    return notArray(text, 2, stop);
  if (text[0] === mark[0] && text[1] !== mark[1] && text.length > 1) return notArray(text, 1, stop);
  if (text !== '' && text.length < 3 && mark.startsWith(text)) return stop('not_an_array', text.length);
  let at = skipSpace(text, text.startsWith(mark) ? 3 : 0);
  if (text[at] === '{') return modelLines(text, at, limits) ?? stop('not_an_array', at);
  if (text[at] !== '[') return notArray(text, at, stop);

  at = skipSpace(text, at + 1);
  if (text[at] === ']') {
    const next = skipSpace(text, at + 1);
    return next < text.length ? stop('trailing_data', next) : stop('no_records', 0);
  }
  while (true) {
    if (at === text.length) return stop('truncated', at);
    if (',]}:\0'.includes(text.charAt(at))) return unexpected(at);
    const { end, wrong, ...size } =
      text[at] === '{' || text[at] === '[' ? readContainer(text, at, limits.maxDepth) : readScalar(text, at);
    if (wrong !== undefined) return unexpected(wrong);
    if (end === undefined) return stop('truncated', text.length);
    spans.push(withProblem(at, end, size, limits));
    at = skipSpace(text, end);
    if (at === text.length) return stop('truncated', at);
    if (text[at] === ']') break;
    if (text[at] !== ',') return unexpected(at);
    at = skipSpace(text, at + 1);
  }
  const next = skipSpace(text, at + 1);
  return next < text.length ? stop('trailing_data', next) : { spans, fault: undefined };
}

/** Returns `undefined` if the first line is not an object that ends with a line feed. */
function modelLines(text: string, start: number, limits: RecordLimits): ExpectedSplit | undefined {
  const spans: RecordSpan[] = [];
  for (let at = start; at < text.length; ) {
    const feed = text.indexOf('\n', at);
    const lineEnd = feed === -1 ? text.length : feed;
    const line = text.slice(0, lineEnd);
    const from = skipSpace(line, at);
    const to = at + line.slice(at).replace(/[ \t\r]+$/, '').length;
    const size = '{['.includes(line.charAt(from) || ' ')
      ? readContainer(line, from, limits.maxDepth)
      : undefined;
    if (spans.length === 0 && (size?.end !== to || feed === -1)) return undefined;
    if (from < lineEnd) spans.push(withProblem(from, to, size?.end === undefined ? NO_SIZE : size, limits));
    at = lineEnd + 1;
  }
  return { spans, fault: undefined };
}

function notArray(text: string, at: number, stop: (code: FileFaultCode, at: number) => ExpectedSplit) {
  const isForeign = at < text.length && '\0\xff\xfe'.includes(text.charAt(at));
  return stop(isForeign ? 'unsupported_encoding' : 'not_an_array', at);
}

function withProblem(
  start: number,
  end: number,
  { depth, keys }: Pick<Element, 'depth' | 'keys'>,
  limits: RecordLimits,
): RecordSpan {
  if (end - start > limits.maxRecordBytes) return { start, end, problem: 'record_too_large' };
  if (depth > limits.maxDepth) return { start, end, problem: 'record_too_deep' };
  if (keys > limits.maxKeys) return { start, end, problem: 'record_too_many_keys' };
  return { start, end };
}

/** Reads up to the matching bracket. Brackets beyond the depth limit are counted but not compared. */
function readContainer(text: string, start: number, maxDepth: number): Element {
  const open: string[] = [];
  let depth = 0;
  let keys = 0;
  for (let at = start; at < text.length; at++) {
    const character = text.charAt(at);
    if (character === '"') {
      at = stringEnd(text, at) - 1;
    } else if (character === ':') {
      keys++;
    } else if (character === '{' || character === '[') {
      open.push(character === '{' ? '}' : ']');
      depth = Math.max(depth, open.length);
    } else if (character === '}' || character === ']') {
      if (open.length <= maxDepth && open.at(-1) !== character)
        return { end: undefined, wrong: at, depth, keys };
      open.pop();
      if (open.length === 0) return { end: at + 1, depth, keys };
    }
  }
  return { end: undefined, depth, keys };
}

/**
 * Reads up to the next comma or closing bracket of the array, excluding trailing whitespace. Skips strings, because
 * they may contain both characters.
 */
function readScalar(text: string, start: number): Element {
  const size = { depth: 0, keys: 0 };
  let end = start;
  for (let at = start; at < text.length; at++) {
    const character = text.charAt(at);
    if (character === ',' || character === ']') return { end, ...size };
    if ('{[}'.includes(character)) return { end: undefined, wrong: at, ...size };
    if (character === '"') at = stringEnd(text, at) - 1;
    if (!SPACE.includes(character)) end = at + 1;
  }
  return { end: undefined, ...size };
}

/** Returns the index after the string's closing quote, or the end of the text if the string is not closed. */
function stringEnd(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    if (text[at] === '\\') at++;
    else if (text[at] === '"') return at + 1;
  }
  return text.length;
}

function skipSpace(text: string, start: number): number {
  let at = start;
  while (at < text.length && SPACE.includes(text.charAt(at))) at++;
  return at;
}
