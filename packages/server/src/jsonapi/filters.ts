import { invalidParameter } from './errors.ts';
import { type Filter, listNames } from './query.ts';

const DATE = /^\d{4}-\d{2}-\d{2}$/;

/** `filter[x]=value`, one of the given values. */
export function oneOf(column: string, values: readonly string[], type: string): Filter {
  return (value, parameter) => {
    assertKnown([value], values, parameter);
    return { sql: (bind) => `${column} = ${bind(value)}::${type}` };
  };
}

/** `filter[x__in]=a,b`, any of the given values. */
export function anyOf(column: string, values: readonly string[], type: string): Filter {
  return (text, parameter) => {
    const wanted = text.split(',').map((value) => value.trim());
    assertKnown(wanted, values, parameter);
    return { sql: (bind) => `${column} = any(${bind(wanted)}::${type}[])` };
  };
}

/** Case-insensitive: the text stands somewhere in one of the columns. */
export function searchIn(columns: readonly string[]): Filter {
  return (text) => {
    const pattern = `%${text.replace(/[\\%_]/g, (special) => `\\${special}`)}%`;
    return {
      sql: (bind) => {
        const parameter = bind(pattern);
        return `(${columns.map((column) => `${column} ilike ${parameter}`).join(' or ')})`;
      },
    };
  };
}

/** `filter[x]`, `filter[x__gte]` and `filter[x__lte]` on a UTC day. */
export function dateFilters(name: string, column: string): Record<string, Filter> {
  const condition =
    (sql: (day: string) => string): Filter =>
    (value, parameter) => {
      assertDate(value, parameter);
      return { sql: (bind) => sql(`${bind(value)}::date::timestamp at time zone 'UTC'`) };
    };
  const nextDay = (day: string) => `(${day} + interval '1 day')`;
  return {
    [name]: condition((day) => `(${column} >= ${day} and ${column} < ${nextDay(day)})`),
    [`${name}__gte`]: condition((day) => `${column} >= ${day}`),
    [`${name}__lte`]: condition((day) => `${column} < ${nextDay(day)}`),
  };
}

function assertKnown(wanted: readonly string[], values: readonly string[], parameter: string): void {
  const unknown = wanted.find((value) => !values.includes(value));
  if (unknown !== undefined) {
    throw invalidParameter(
      parameter,
      `'${unknown}' is no value of ${parameter}; the values are ${listNames(values)}`,
    );
  }
}

function assertDate(value: string, parameter: string): void {
  // PostgreSQL has no year 0.
  const time = DATE.test(value) && value >= '0001' ? Date.parse(`${value}T00:00:00Z`) : Number.NaN;
  if (Number.isNaN(time) || new Date(time).toISOString().slice(0, 10) !== value) {
    throw invalidParameter(parameter, `${parameter} must be a date like 2026-01-31, not '${value}'`);
  }
}
