import { z } from 'zod';
import { type ApiError, invalidParameter } from './errors.ts';

/** SQL around parameters that the caller numbers, the first of which is the tenant. */
export type ConditionSql = (bind: (value: unknown) => string, tenant: string) => string;

/** One condition on a list. */
export interface Condition {
  readonly sql: ConditionSql;
  /** The same on the counts that are kept of the list's rows; not there where they do not know it. */
  readonly countsSql?: ConditionSql;
}

/** How one `filter[name]` is read and described. */
export interface Filter {
  readonly description: string;
  /** Of one value. */
  readonly schema: z.ZodType;
  /** Whether several values are taken, separated by commas. */
  readonly isList: boolean;
  /** Throws an ApiError that says what the parameter takes. */
  readonly read: (text: string, parameter: string) => Condition;
}

export type Filters = Readonly<Record<string, Filter>>;

interface FilterOptions<Value> {
  readonly description: string;
  readonly schema: z.ZodType<Value, string>;
  readonly condition: (value: Value) => Condition;
}

/** A filter for one value. */
export function filter<Value>({ description, schema, condition }: FilterOptions<Value>): Filter {
  return {
    description,
    schema,
    isList: false,
    read: (text, parameter) => condition(readValue(schema, text, parameter)),
  };
}

/** A filter for any of several values. */
export function listFilter<Value>({
  description,
  schema,
  condition,
}: Omit<FilterOptions<Value>, 'condition'> & {
  readonly condition: (values: readonly Value[]) => Condition;
}): Filter {
  return {
    description,
    schema,
    isList: true,
    read: (text, parameter) =>
      condition(text.split(',').map((value) => readEntry(schema, value.trim(), parameter))),
  };
}

/** `filter[x]=value` and `filter[x__in]=a,b` on a column that holds one of these words. */
export function enumFilters(
  name: string,
  column: string,
  values: readonly [string, ...string[]],
  type: string,
): Filters {
  return equalityFilters(name, column, z.enum(values), type);
}

/** `filter[x]=value` and `filter[x__in]=a,b` on a column. `type` is its SQL type. */
export function equalityFilters(
  name: string,
  column: string,
  schema: z.ZodType<string, string>,
  type: string,
): Filters {
  return {
    [name]: filter({
      description: `Only those whose ${words(name)} is this`,
      schema,
      condition: (value) => ({ sql: (bind) => `${column} = ${bind(value)}::${type}` }),
    }),
    [`${name}__in`]: listFilter({
      description: `Only those whose ${words(name)} is one of these`,
      schema,
      condition: (wanted) => ({ sql: (bind) => `${column} = any(${bind(wanted)}::${type}[])` }),
    }),
  };
}

/** `filter[x]=value` and `filter[x__in]=a,b` with one condition for both. */
export function valueFilters<Value extends string>(
  name: string,
  schema: z.ZodType<Value, string>,
  condition: (values: readonly Value[]) => Condition,
): Filters {
  return {
    [name]: filter({
      description: `Only those whose ${words(name)} is this`,
      schema,
      condition: (value) => condition([value]),
    }),
    [`${name}__in`]: listFilter({
      description: `Only those whose ${words(name)} is one of these`,
      schema,
      condition,
    }),
  };
}

/** The same filters, of which kept counts know what they ask for: they have columns of the same names. */
export function withCountsSql(filters: Filters): Filters {
  return Object.fromEntries(
    Object.entries(filters).map(([name, filter]) => [
      name,
      {
        ...filter,
        read: (text: string, parameter: string) => {
          const { sql, countsSql = sql } = filter.read(text, parameter);
          return { sql, countsSql };
        },
      },
    ]),
  );
}

/** Case-insensitive: the text stands somewhere in one of the columns. */
export function searchFilter(description: string, columns: readonly string[]): Filter {
  return filter({
    description,
    schema: z.string(),
    condition: (text) => {
      return {
        sql: (bind) => {
          const parameter = bind(likePattern(text));
          return `(${columns.map((column) => `${column} ilike ${parameter}`).join(' or ')})`;
        },
      };
    },
  });
}

/** The pattern of `like` and `ilike` for what has this text somewhere in it, literally. */
export function likePattern(text: string): string {
  return `%${text.replace(/[\\%_]/g, (special) => `\\${special}`)}%`;
}

/** PostgreSQL has no year 0. */
const day = z.iso.date().refine((text) => text >= '0001');

/** `filter[x]`, `filter[x__gte]` and `filter[x__lte]` on a UTC day. */
export function dateFilters(name: string, column: string): Filters {
  const nextDay = (text: string) => `(${text} + interval '1 day')`;
  const of = (description: string, sql: (day: string) => string): Filter =>
    filter({
      description: `Only those whose ${words(name)} ${description}`,
      schema: day,
      condition: (value) => ({ sql: (bind) => sql(`${bind(value)}::date::timestamp at time zone 'UTC'`) }),
    });
  return {
    [name]: of('is on this day (UTC)', (text) => `(${column} >= ${text} and ${column} < ${nextDay(text)})`),
    [`${name}__gte`]: of('is on this day (UTC) or later', (text) => `${column} >= ${text}`),
    [`${name}__lte`]: of('is on this day (UTC) or earlier', (text) => `${column} < ${nextDay(text)}`),
  };
}

/** The given names as a person would list them. */
export function quoteNames(names: readonly string[]): string {
  return names.map((name) => `'${name}'`).join(', ');
}

function words(name: string): string {
  return name.replaceAll('_', ' ');
}

function readValue<Value>(schema: z.ZodType<Value, string>, text: string, parameter: string): Value {
  const read = schema.safeParse(text);
  if (read.success) return read.data;
  throw wrongValue(schema, text, parameter);
}

function readEntry<Value>(schema: z.ZodType<Value, string>, text: string, parameter: string): Value {
  const value = readValue(schema, text, parameter);
  if (text !== '') return value;
  throw invalidParameter(parameter, `${parameter} has an empty entry; put one comma between two values`);
}

function wrongValue(schema: z.ZodType, text: string, parameter: string): ApiError {
  if (schema instanceof z.ZodEnum) {
    const values = quoteNames(schema.options.map(String));
    return invalidParameter(parameter, `'${text}' is no value of ${parameter}; the values are ${values}`);
  }
  if (schema === day) {
    return invalidParameter(parameter, `${parameter} must be a date like 2026-01-31, not '${text}'`);
  }
  const kind = schema instanceof z.ZodUUID ? 'a UUID' : 'another text';
  return invalidParameter(parameter, `${parameter} must be ${kind}, not '${text}'`);
}
