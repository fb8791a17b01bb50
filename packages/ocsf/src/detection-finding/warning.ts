import { showValue } from './rejection.ts';

export type WarningCode =
  /** An optional field of a type that OCSF does not give it; it is ignored. */
  | 'invalid_type'
  /** A severity or a time that cannot be read; the next field that has one counts. */
  | 'invalid_value'
  /** The text of an optional field was shortened. */
  | 'text_shortened'
  /** The time is after that of the upload, which replaces it. */
  | 'future_time'
  /** Of several resources only the first is read. */
  | 'several_resources';

/** Something unusual about a record that is ingested. */
export interface Warning {
  readonly code: WarningCode;
  /** JSON Pointer (RFC 6901) inside the record. */
  readonly pointer: string;
  readonly detail: string;
}

export type Warn = (warning: Warning) => void;

/** For values that are read but not stored. */
export const ignoreWarning: Warn = () => undefined;

/** Warns of a field that is present with a type that OCSF does not give it. */
export function warnOfType(warn: Warn, pointer: string, value: unknown, expected: string): void {
  if (value === undefined || value === null) return;
  const detail = `${pointer} is ${showValue(value)}; ${expected} is expected, and the field was ignored`;
  warn({ code: 'invalid_type', pointer, detail });
}

/** Warns of a field whose value cannot be read; null and blank text count as absent. */
export function warnOfValue(warn: Warn, pointer: string, value: unknown, expected: string): void {
  if (value === undefined || value === null || (typeof value === 'string' && value.trim() === '')) return;
  const detail = `${pointer} is ${showValue(value)}; ${expected} is expected, and the field was ignored`;
  warn({ code: 'invalid_value', pointer, detail });
}
