import { readNumber } from './fields.ts';
import { type Warn, warnOfValue } from './problems.ts';

/**
 * Numbers at or above this value are interpreted as milliseconds. As seconds, they would be dates in the year 5138 or
 * later.
 */
const FIRST_MILLISECOND_VALUE = 1e11;
/** 9999-12-31T23:59:59.999Z, the latest ISO 8601 time with a four-digit year. */
const LAST_TIME = 253_402_300_799_999;
const ISO_TEXT = /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:[.,]\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?)?$/i;
const HAS_OFFSET = /(?:Z|[+-]\d{2}:?\d{2})$/i;

/**
 * Returns a time in milliseconds since 1970 (UTC). Accepts ISO 8601 strings, which are in UTC unless they have an
 * offset, and numbers or numeric strings, which are milliseconds from 1e11 on and otherwise seconds. Returns
 * `undefined` for anything else.
 */
export function readTime(value: unknown, pointer: string, warn: Warn): number | undefined {
  const number = readNumber(value);
  const time = typeof number === 'number' ? fromNumber(number) : fromText(value);
  if (time !== undefined && time >= 0 && time <= LAST_TIME) return time;
  warnOfValue(warn, pointer, value, 'a timestamp');
  return undefined;
}

function fromNumber(value: number): number {
  return Math.trunc(value >= FIRST_MILLISECOND_VALUE ? value : value * 1000);
}

function fromText(value: unknown): number | undefined {
  if (typeof value !== 'string') return undefined;
  const text = value.trim();
  if (!ISO_TEXT.test(text)) return undefined;
  const dateTime = text.replace(' ', 'T').replace(',', '.');
  const time = Date.parse(dateTime.length > 10 && !HAS_OFFSET.test(dateTime) ? `${dateTime}Z` : dateTime);
  return Number.isNaN(time) || !isDay(text.slice(0, 10)) ? undefined : time;
}

/** Whether the date exists. `Date.parse` interprets February 30 as March 2. */
function isDay(date: string): boolean {
  const day = new Date(`${date}T00:00:00Z`);
  return day.getUTCDate() === Number(date.slice(8));
}
