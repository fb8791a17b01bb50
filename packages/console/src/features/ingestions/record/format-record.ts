import { RecordPrinter } from './record-printer.ts';

/** A record in three parts, of which the middle one is the place that an error is about. */
export interface FormattedRecord {
  readonly before: string;
  readonly marked: string;
  readonly after: string;
  /** `around`: the place is not there, and what it would be in is marked. */
  readonly place: 'here' | 'around' | 'none';
  /** Whether it is laid out as JSON, and not shown as it was sent. */
  readonly isFormatted: boolean;
}

const TOKEN = /[ \t\r\n]*([{}[\],:]|"[^"\\]*(?:\\.[^"\\]*)*"|[^\s{}[\],:"]+)[ \t\r\n]*/y;
/** Deeper ones would be more indentation than text. */
const MAX_DEPTH = 100;

interface FormatOptions {
  /** JSON Pointer (RFC 6901) of the place to mark; `null` and `''`: the record itself. */
  readonly pointer: string | null;
  /** Whether the text is only the beginning of the record. */
  readonly truncated: boolean;
}

/** Lays out a record where it is JSON, without changing a letter of its names and values, and marks a place in it. */
export function formatRecord(text: string, { pointer, truncated }: FormatOptions): FormattedRecord {
  const unchanged = { before: text, marked: '', after: '', place: 'none', isFormatted: false } as const;
  if (!truncated && !isJson(text)) return unchanged;
  const printer = new RecordPrinter(parsePointer(pointer));
  let at = 0;
  while (at < text.length) {
    TOKEN.lastIndex = at;
    const token = TOKEN.exec(text)?.[1];
    // The end of a text that is cut off may be half a token.
    if (token === undefined) break;
    printer.add(token);
    if (printer.depth > MAX_DEPTH) return unchanged;
    at = TOKEN.lastIndex;
  }
  const laidOut = printer.text + text.slice(at);
  const { place } = printer;
  if (place === undefined || pointer === null || pointer === '')
    return { ...unchanged, before: laidOut, isFormatted: true };
  return {
    before: laidOut.slice(0, place.start),
    marked: laidOut.slice(place.start, place.end),
    after: laidOut.slice(place.end),
    place: place.isExact ? 'here' : 'around',
    isFormatted: true,
  };
}

function parsePointer(pointer: string | null): readonly string[] {
  const steps = (pointer ?? '').split('/').slice(1);
  return steps.map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    // Whatever is wrong with it: the error of the job says it.
    return false;
  }
}
