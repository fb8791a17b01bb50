/** Why one record was not taken. */
export type RejectionCode = 'unsupported_class' | 'required' | 'invalid_type' | 'invalid_value';

/** A record that cannot be placed, with the field that stands against it. */
export interface Rejection {
  readonly code: RejectionCode;
  /** JSON Pointer (RFC 6901) inside the record; `''` is the record itself. */
  readonly pointer: string;
  readonly detail: string;
}

export function invalidType(pointer: string, value: unknown, expected: string): Rejection {
  const where = pointer === '' ? 'The record' : pointer;
  return {
    code: 'invalid_type',
    pointer,
    detail: `${where} is ${showValue(value)}; ${expected} is expected`,
  };
}

export function tooLong(pointer: string, text: string, maxLength: number): Rejection {
  return {
    code: 'invalid_value',
    pointer,
    detail: `${pointer} is ${text.length} characters long; ${maxLength} are taken at most`,
  };
}

/** A value as an error sentence shows it: JSON with its type, cut to a length that a person reads. */
export function showValue(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  if (typeof value === 'object') return 'an object';
  const text = String(JSON.stringify(value));
  return `the ${typeof value} ${text.length > 60 ? `${text.slice(0, 57)}...` : text}`;
}
