/** Why a record was rejected. */
export type RejectionCode = 'unsupported_class' | 'required' | 'invalid_type' | 'invalid_value';

/** Describes a rejected record and the field that caused the rejection. */
export interface Rejection {
  readonly code: RejectionCode;
  /** JSON Pointer (RFC 6901) within the record; `''` is the record itself. */
  readonly pointer: string;
  readonly detail: string;
}

export function invalidType(pointer: string, value: unknown, expected: string): Rejection {
  return { code: 'invalid_type', pointer, detail: `Expected ${expected}, got ${showValue(value)}.` };
}

export function tooLong(pointer: string, text: string, maxLength: number): Rejection {
  return {
    code: 'invalid_value',
    pointer,
    detail: `The text is ${text.length} characters long; the maximum is ${maxLength} characters.`,
  };
}

/** Formats a value for an error message: its type and, for a scalar, its JSON, shortened to a readable length. */
export function showValue(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  if (typeof value === 'object') return 'an object';
  const text = String(JSON.stringify(value));
  return `the ${typeof value} ${text.length > 60 ? `${text.slice(0, 57)}...` : text}`;
}
