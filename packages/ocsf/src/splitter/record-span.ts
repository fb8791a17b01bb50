/** Limits for each record. A record that exceeds a limit does not affect the other records. */
export interface RecordLimits {
  /** Size of the record in bytes. */
  readonly maxRecordBytes: number;
  /** Levels of nesting inside the record; the record's own braces are level 1. */
  readonly maxDepth: number;
  /** Object keys in the whole record. */
  readonly maxKeys: number;
}

export type RecordProblem = 'record_too_large' | 'record_too_deep' | 'record_too_many_keys';

/** An element of the top-level array, or a line: bytes [start, end) of the file. */
export interface RecordSpan {
  readonly start: number;
  readonly end: number;
  readonly problem?: RecordProblem;
}
