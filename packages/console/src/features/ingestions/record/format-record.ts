import { RecordPrinter } from './record-printer.ts';
import { resolveWildcards } from './resolve-wildcards.ts';

/** A formatted record in three parts: before, at and after the location of an error or a warning. */
export interface FormattedRecord {
  readonly before: string;
  readonly highlighted: string;
  readonly after: string;
  /** `parent` means that the value does not exist and its closest existing ancestor is highlighted. */
  readonly place: 'exact' | 'parent' | 'none';
  /** The JSON Pointer to the value, with array indexes instead of `*`. */
  readonly pointer: string | null;
  /** Whether the record is formatted as JSON rather than shown as uploaded. */
  readonly isFormatted: boolean;
}

const TOKEN = /[ \t\r\n]*([{}[\],:]|"[^"\\]*(?:\\.[^"\\]*)*"|[^\s{}[\],:"]+)[ \t\r\n]*/y;
/** Records that are nested more deeply are shown unformatted, because they would consist mostly of indentation. */
const MAX_DEPTH = 100;

interface FormatOptions {
  /**
   * A JSON Pointer (RFC 6901) to the value to highlight, or for a missing value, a pointer in which `*` stands for the index
   * of an array. `null` and `''` mean the record itself.
   */
  readonly pointer: string | null;
  /** Whether the text contains only the beginning of the record. */
  readonly truncated: boolean;
}

/** Formats a JSON record without changing its names and values, and finds the value to highlight. */
export function formatRecord(text: string, { pointer, truncated }: FormatOptions): FormattedRecord {
  const unchanged = {
    before: text,
    highlighted: '',
    after: '',
    place: 'none',
    pointer,
    isFormatted: false,
  } as const;
  const record = parseJson(text);
  if (!truncated && record === undefined) return unchanged;
  const path = resolveWildcards(parsePointer(pointer), record);
  const printer = new RecordPrinter(path);
  let offset = 0;
  while (offset < text.length) {
    TOKEN.lastIndex = offset;
    const token = TOKEN.exec(text)?.[1];
    // Truncated text can end within a token.
    if (token === undefined) break;
    printer.add(token);
    if (printer.depth > MAX_DEPTH) return unchanged;
    offset = TOKEN.lastIndex;
  }
  const formatted = printer.text + text.slice(offset);
  const { place } = printer;
  if (place === undefined || pointer === null || pointer === '')
    return { ...unchanged, before: formatted, isFormatted: true };
  return {
    before: formatted.slice(0, place.start),
    highlighted: formatted.slice(place.start, place.end),
    after: formatted.slice(place.end),
    place: place.isExact ? 'exact' : 'parent',
    pointer: path.map((token) => `/${token.replaceAll('~', '~0').replaceAll('/', '~1')}`).join(''),
    isFormatted: true,
  };
}

function parsePointer(pointer: string | null): readonly string[] {
  const tokens = (pointer ?? '').split('/').slice(1);
  return tokens.map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** Returns `undefined` if the text is not valid JSON. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The text is truncated, or the error that the service reported describes the problem.
    return undefined;
  }
}
