/** Why a record was rejected. */
export type RejectionCode = 'unsupported_class' | 'required' | 'invalid_type' | 'invalid_value';

/** Describes a rejected record and the field that caused the rejection. */
export interface Rejection {
  readonly code: RejectionCode;
  /** JSON Pointer (RFC 6901) within the record; `''` is the record itself. */
  readonly pointer: string;
  readonly detail: string;
}

export type WarningCode =
  /** An optional field is ignored because OCSF does not allow its type. */
  | 'invalid_type'
  /** A severity or time cannot be read. The next valid alternative is used. */
  | 'invalid_value'
  /** The text of an optional field was shortened. */
  | 'text_shortened'
  /** The time is later than the upload. The upload time is used instead. */
  | 'future_time'
  /** The record has more resources than are read. */
  | 'too_many_resources'
  /** The resources of the record have more labels than are read. */
  | 'too_many_labels';

/** A warning about an ingested record. */
export interface Warning {
  readonly code: WarningCode;
  /** JSON Pointer (RFC 6901) within the record. */
  readonly pointer: string;
  readonly detail: string;
}

export type Warn = (warning: Warning) => void;

/** Rejects a record because a required field has the wrong type. */
export function invalidType(pointer: string, value: unknown, expected: string): Rejection {
  return { code: 'invalid_type', pointer, detail: `Expected ${expected}, got ${showValue(value)}.` };
}

/** Rejects a record because the text of a required field is too long. */
export function tooLong(pointer: string, text: string, maxLength: number): Rejection {
  return {
    code: 'invalid_value',
    pointer,
    detail: `The text is ${text.length} characters long; the maximum is ${maxLength} characters.`,
  };
}

/** Discards warnings about values that are read but not stored. */
export const ignoreWarning: Warn = () => undefined;

/** Warns about a field with a type that OCSF does not allow. */
export function warnOfType(warn: Warn, pointer: string, value: unknown, expected: string): void {
  if (value === undefined || value === null) return;
  const detail = `Expected ${expected}, got ${showValue(value)}. The field is ignored.`;
  warn({ code: 'invalid_type', pointer, detail });
}

/** Warns about a field whose value cannot be read. Null and blank values count as absent. */
export function warnOfValue(warn: Warn, pointer: string, value: unknown, expected: string): void {
  if (value === undefined || value === null || (typeof value === 'string' && value.trim() === '')) return;
  const detail = `Expected ${expected}, got ${showValue(value)}. The field is ignored.`;
  warn({ code: 'invalid_value', pointer, detail });
}

/** Formats a value for an error message: its type and, for a scalar, its JSON, shortened to a readable length. */
export function showValue(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  if (typeof value === 'object') return 'an object';
  const text = String(JSON.stringify(value));
  return `the ${typeof value} ${text.length > 60 ? `${text.slice(0, 57)}...` : text}`;
}
