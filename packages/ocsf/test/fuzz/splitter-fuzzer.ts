import { isDeepStrictEqual } from 'node:util';
import { type RecordLimits, type RecordSpan, RecordSplitter } from '../../src/index.ts';
import { chunkings, pushPieces } from './chunkings.ts';
import { modelSplit } from './file-model.ts';
import type { Fuzzer } from './fuzzer.ts';
import { locateElements, parseBytes } from './parsed-array.ts';
import { below, pick, seededRandom } from './random.ts';
import { randomFile } from './random-file.ts';
import { hasEscapedKey } from './written-keys.ts';

/** Nearly all generated files are within these limits. A case may lower one of them. */
const WIDE: RecordLimits = { maxRecordBytes: 100_000, maxDepth: 40, maxKeys: 1000 };
const OTHER_UPLOAD = Buffer.from('[[{"a":[[[{"b":"\\');
/** Above this number of pieces, a test with an interleaved upload would take too long. */
const MAX_DISTURBED = 100;
/** Locating the elements by repeated parsing takes quadratic time. */
const MAX_LOCATED_BYTES = 10_000;

/**
 * Compares the splitter's results for random files in random chunks with `JSON.parse` and a simple model of damaged
 * files.
 */
export const splitterFuzzer: Fuzzer = {
  name: 'splitter',
  generate: (seed) => randomFile(seededRandom(seed)),
  disagreement: (bytes, seed) => splitDisagreement(bytes, seed),
};

/** Passes the bytes to the splitter in the given pieces, and returns the result. */
export function split(
  bytes: Buffer,
  cuts: readonly number[],
  limits: RecordLimits,
  between: () => void = () => undefined,
) {
  const spans: RecordSpan[] = [];
  const splitter = new RecordSplitter(limits, (span) => spans.push(span));
  pushPieces(bytes, cuts, (piece) => {
    between();
    splitter.push(piece);
  });
  splitter.end();
  return { spans, fault: splitter.fault, records: splitter.records, bytes: splitter.bytes };
}

/** Describes how the splitter and the oracles disagree on a file; `undefined` if they agree. */
function splitDisagreement(bytes: Buffer, seed: number): string | undefined {
  const random = seededRandom(seed);
  const limits = randomLimits(random);
  const whole = split(bytes, [], limits);
  if (whole.bytes !== bytes.length || whole.records !== whole.spans.length)
    return `the splitter counts ${whole.records} records and ${whole.bytes} bytes`;

  const { code, byteOffset } = whole.fault ?? {};
  const found = { spans: whole.spans, fault: whole.fault && { code, byteOffset } };
  const model = modelSplit(bytes, limits);
  if (!isDeepStrictEqual(found, model)) return `the splitter finds ${show(found)}, the model ${show(model)}`;
  for (const { name, cuts } of chunkings(random, bytes)) {
    const pieces =
      cuts.length < MAX_DISTURBED ? split(bytes, cuts, limits, disturb) : split(bytes, cuts, limits);
    if (!isDeepStrictEqual(pieces, whole))
      return `the splitter finds ${show(pieces)} ${name}, but ${show(whole)} in the whole file`;
  }
  return parseDisagreement(bytes, whole);
}

/** Simulates another upload on the same thread in a different state, because all splitters share the same memory. */
function disturb(): void {
  new RecordSplitter(WIDE, () => undefined).push(OTHER_UPLOAD);
}

function randomLimits(random: () => number): RecordLimits {
  const bound = below(random, 6);
  return pick(random, [
    WIDE,
    { ...WIDE, maxRecordBytes: 10 * bound },
    { ...WIDE, maxDepth: bound },
    { ...WIDE, maxKeys: bound },
  ]);
}

function parseDisagreement(bytes: Buffer, { spans, fault }: ReturnType<typeof split>): string | undefined {
  if (spans[0] !== undefined && isLines(bytes)) return lineDisagreement(bytes, spans);
  const parsed = spans.map(({ start, end }) => parseBytes(bytes.subarray(start, end)));
  const whole = parseBytes(bytes, { skipMark: true })?.value;
  const isValid = Array.isArray(whole) && whole.length > 0;
  const isAccepted = fault === undefined && parsed.every((record) => record !== undefined);
  if (isValid !== isAccepted)
    return `JSON.parse ${isValid ? 'accepts' : 'rejects'} the file, the splitter does not`;
  if (isValid) {
    const values = parsed.map((record) => record?.value);
    if (!isDeepStrictEqual(values, whole) && !hasEscapedKey(bytes))
      return `the splitter's records are ${show(values)}, JSON.parse returns ${show(whole)}`;
    if (bytes.length > MAX_LOCATED_BYTES) return undefined;
    const places = spans.map(({ start, end }) => ({ start, end }));
    const located = locateElements(bytes).map(({ start, end }) => ({ start, end }));
    return isDeepStrictEqual(places, located)
      ? undefined
      : `the splitter finds ${show(places)}, JSON.parse finds ${show(located)}`;
  }
  // Up to the first invalid record, the file is a valid array without its closing bracket.
  const bad = parsed.indexOf(undefined);
  const last = spans[(bad === -1 ? spans.length : bad) - 1];
  if (last === undefined) return undefined;
  const before = parseBytes(Buffer.concat([bytes.subarray(0, last.end), Buffer.from(']')]), {
    skipMark: true,
  });
  const values = parsed.slice(0, bad === -1 ? undefined : bad).map((record) => record?.value);
  return isDeepStrictEqual(before?.value, values) || hasEscapedKey(bytes.subarray(0, last.end))
    ? undefined
    : `before the damage, the file contains ${show(before?.value)}, the splitter finds ${show(values)}`;
}

function isLines(bytes: Buffer): boolean {
  return /^(?:\xef\xbb\xbf)?[ \t\r\n]*\{/.test(bytes.toString('latin1'));
}

/** Newline-delimited JSON consists of the texts between line feeds that are not blank. */
function lineDisagreement(bytes: Buffer, spans: readonly RecordSpan[]): string | undefined {
  const expected = bytes
    .toString('latin1')
    .replace(/^\xef\xbb\xbf/, '')
    .split('\n')
    .map((line) => line.replace(/^[ \t\r]+|[ \t\r]+$/g, ''))
    .filter((line) => line !== '');
  const found = spans.map(({ start, end }) => bytes.toString('latin1', start, end));
  return isDeepStrictEqual(found, expected)
    ? undefined
    : `the splitter finds the lines ${show(found)}, split() finds ${show(expected)}`;
}

function show(value: unknown): string {
  return JSON.stringify(value)?.slice(0, 2_000) ?? 'nothing';
}
