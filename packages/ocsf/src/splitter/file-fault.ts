import { OPEN_BRACE } from './json-bytes.ts';

/** Why a file is not a list of Detection Findings. */
export type FileFaultCode =
  | 'not_an_array'
  | 'unsupported_encoding'
  | 'invalid_json'
  | 'truncated'
  | 'trailing_data'
  | 'no_records';

/** A fault in the file itself. Records that end before `byteOffset` are not affected. */
export interface FileFault {
  readonly code: FileFaultCode;
  /** Offset in the decompressed file where reading stopped. */
  readonly byteOffset: number;
  readonly detail: string;
}

/**
 * Describes a file that is neither an array nor newline-delimited JSON, by its first byte after white space, which is
 * `undefined` if there is only white space.
 */
export function notAnArray(byte: number | undefined, byteOffset: number): FileFault {
  if (byte === undefined) {
    return {
      code: 'not_an_array',
      byteOffset,
      detail: 'The file contains only white space. Upload a JSON array of records.',
    };
  }
  if (byte === 0 || byte === 0xff || byte === 0xfe) return wrongEncoding(byteOffset);
  const hint =
    byte === OPEN_BRACE
      ? ' Enclose the records in [ ], or write each on one line that ends with a line feed (NDJSON).'
      : '';
  return {
    code: 'not_an_array',
    byteOffset,
    detail: `Expected a JSON array of records, found ${show(byte)} at byte ${byteOffset}.${hint}`,
  };
}

/** Describes a byte that is not allowed at its position between or inside records. */
export function unexpectedByte(byte: number, byteOffset: number, expected: string, where = ''): FileFault {
  if (byte === 0 && byteOffset < 4) return wrongEncoding(byteOffset);
  return {
    code: 'invalid_json',
    byteOffset,
    detail: `Expected ${expected}${where}, found ${show(byte)} at byte ${byteOffset}. The rest of the file was not read.`,
  };
}

/** A file that ends inside the record with this number, which starts at `start`. */
export function truncatedInside(record: number, start: number, end: number): FileFault {
  return truncated(`inside record ${record}, which starts at byte ${start}`, end);
}

/** A file that ends between records, or after the opening bracket. */
export function truncatedAfter(records: number, end: number): FileFault {
  return truncated(
    `after ${records} ${records === 1 ? 'record' : 'records'}, before the array is closed`,
    end,
  );
}

function truncated(place: string, end: number): FileFault {
  return {
    code: 'truncated',
    byteOffset: end,
    detail: `The file ends at byte ${end} ${place}. Check that it was written and uploaded completely.`,
  };
}

/** A file with text after the array. */
export function trailingData(byteOffset: number): FileFault {
  return {
    code: 'trailing_data',
    byteOffset,
    detail: `Found data at byte ${byteOffset} after the end of the array. It was not read.`,
  };
}

export const EMPTY_ARRAY: FileFault = {
  code: 'no_records',
  byteOffset: 0,
  detail: 'The file is an empty array. Upload at least one record.',
};

function wrongEncoding(byteOffset: number): FileFault {
  return {
    code: 'unsupported_encoding',
    byteOffset,
    detail: 'The file appears to be UTF-16 or UTF-32. Convert it to UTF-8 (RFC 8259, section 8.1).',
  };
}

function show(byte: number): string {
  const printable = byte > 0x20 && byte < 0x7f;
  return printable ? `'${String.fromCharCode(byte)}'` : `the byte 0x${byte.toString(16).padStart(2, '0')}`;
}
