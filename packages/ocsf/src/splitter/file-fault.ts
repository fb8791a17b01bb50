/** Why a file as a whole is not a JSON array of Detection Findings. */
export type FileFaultCode =
  | 'not_an_array'
  | 'unsupported_encoding'
  | 'invalid_json'
  | 'truncated'
  | 'trailing_data'
  | 'no_records';

/** A fault of the file itself; records that end before `byteOffset` are not touched by it. */
export interface FileFault {
  readonly code: FileFaultCode;
  /** Offset in the (inflated) file where reading stopped. */
  readonly byteOffset: number;
  readonly detail: string;
}

/** The fault of a file whose first byte that is no white space is not `[`; `undefined`: there is none. */
export function notAnArray(byte: number | undefined, byteOffset: number): FileFault {
  if (byte === undefined) {
    return {
      code: 'not_an_array',
      byteOffset,
      detail: 'The file holds only white space; a JSON array of records is expected',
    };
  }
  if (byte === 0 || byte === 0xff || byte === 0xfe) return wrongEncoding(byteOffset);
  const hint =
    byte === 0x7b
      ? '; one object per line (NDJSON) and a single object are not accepted, put the records into [ ]'
      : '';
  return {
    code: 'not_an_array',
    byteOffset,
    detail: `The file starts with ${show(byte)} at byte ${byteOffset}; a JSON array of records is expected${hint}`,
  };
}

/** The fault of a byte that cannot stand where it does between or inside records. */
export function unexpectedByte(byte: number, byteOffset: number, expected: string, where = ''): FileFault {
  if (byte === 0 && byteOffset < 4) return wrongEncoding(byteOffset);
  return {
    code: 'invalid_json',
    byteOffset,
    detail: `Found ${show(byte)} at byte ${byteOffset}${where} where ${expected} is expected; the file was not read beyond it`,
  };
}

function wrongEncoding(byteOffset: number): FileFault {
  return {
    code: 'unsupported_encoding',
    byteOffset,
    detail:
      'The file is not UTF-8 (it looks like UTF-16 or UTF-32); JSON files are UTF-8 (RFC 8259, section 8.1)',
  };
}

function show(byte: number): string {
  const printable = byte > 0x20 && byte < 0x7f;
  return printable ? `'${String.fromCharCode(byte)}'` : `the byte 0x${byte.toString(16).padStart(2, '0')}`;
}
