import { z } from 'zod';
import { type ApiError, invalidParameter } from './errors.ts';

/**
 * Builds a SQL condition. `bind` adds a parameter and returns its placeholder; `tenant` is the placeholder of the
 * tenant id.
 */
export type ConditionSql = (bind: (value: unknown) => string, tenant: string) => string;

export interface Condition {
  readonly sql: ConditionSql;
  /** The equivalent condition on the stored counts of the list's rows. Absent if the stored counts lack the column. */
  readonly countsSql?: ConditionSql;
  /** The dimensions of the stored counts that `countsSql` uses. */
  readonly dimensions?: readonly string[];
  /** The equivalent condition on the columns of the previous layout, if different. */
  readonly previousSql?: ConditionSql;
}

/** Parser and description of a `filter[name]` parameter. */
export interface Filter {
  readonly description: string;
  /** Schema of one value. */
  readonly schema: z.ZodType;
  /** Whether the filter accepts several values, separated by commas. */
  readonly isList: boolean;
  /** The condition if the request does not use the filter. */
  readonly whenAbsent?: Condition;
  /** Throws an ApiError (400) for an invalid value. */
  readonly read: (text: string, parameter: string) => Condition;
}

export type Filters = Readonly<Record<string, Filter>>;

interface FilterOptions<Value> {
  readonly description: string;
  readonly schema: z.ZodType<Value, string>;
  readonly condition: (value: Value) => Condition;
}

/** A filter that accepts a single value. */
export function filter<Value>({ description, schema, condition }: FilterOptions<Value>): Filter {
  return {
    description,
    schema,
    isList: false,
    read: (text, parameter) => condition(readValue(schema, text, parameter)),
  };
}

/** A filter that accepts several values and matches any of them. */
export function listFilter<Value>({
  description,
  schema,
  condition,
  whenAbsent,
}: Omit<FilterOptions<Value>, 'condition'> & {
  readonly condition: (values: readonly Value[]) => Condition;
  readonly whenAbsent?: Condition;
}): Filter {
  return {
    description,
    schema,
    isList: true,
    ...(whenAbsent !== undefined && { whenAbsent }),
    read: (text, parameter) =>
      condition(text.split(',').map((value) => readEntry(schema, value.trim(), parameter))),
  };
}

/** `filter[x]=value` and `filter[x__in]=a,b` on an enum column. */
export function enumFilters(
  name: string,
  column: string,
  values: readonly [string, ...string[]],
  type: string,
): Filters {
  return equalityFilters(name, column, z.enum(values), type);
}

/** `filter[x]=value` and `filter[x__in]=a,b` on a column with the SQL type `type`. */
export function equalityFilters(
  name: string,
  column: string,
  schema: z.ZodType<string, string>,
  type: string,
): Filters {
  const { one, several } = describeValues(name, schema);
  return {
    [name]: filter({
      description: one,
      schema,
      condition: (value) => ({ sql: (bind) => `${column} = ${bind(value)}::${type}` }),
    }),
    [`${name}__in`]: listFilter({
      description: several,
      schema,
      condition: (values) => ({ sql: (bind) => `${column} = any(${bind(values)}::${type}[])` }),
    }),
  };
}

/** The descriptions of `filter[x]` and `filter[x__in]`. */
interface ValueDescriptions {
  readonly one: string;
  readonly several: string;
}

/** `filter[x]=value` and `filter[x__in]=a,b`, which use the same condition. */
export function valueFilters<Value extends string>(
  name: string,
  schema: z.ZodType<Value, string>,
  condition: (values: readonly Value[]) => Condition,
  { one, several }: ValueDescriptions = describeValues(name, schema),
): Filters {
  return {
    [name]: filter({ description: one, schema, condition: (value) => condition([value]) }),
    [`${name}__in`]: listFilter({ description: several, schema, condition }),
  };
}

/** Like `valueFilters`, for texts that can be null. `condition` must treat an empty value as null. */
export function nullableFilters(name: string, condition: (values: readonly string[]) => Condition): Filters {
  const { one, several } = describeValues(name, z.string());
  return valueFilters(name, z.string(), condition, {
    one: `${one} An empty value matches \`null\`.`,
    several,
  });
}

/** SQL for whether a column has one of these values. An empty value selects null. */
export function hasNullableText(column: string, values: readonly string[]): ConditionSql {
  const text = values.includes('') ? `coalesce(${column}, '')` : column;
  return (bind) => `${text} = any(${bind(values)}::text[])`;
}

/** Makes filters applicable to the stored counts, which have columns with the same names in these dimensions. */
export function withCountsSql(filters: Filters, dimensions: readonly string[] = []): Filters {
  return Object.fromEntries(
    Object.entries(filters).map(([name, filter]) => [
      name,
      {
        ...filter,
        read: (text: string, parameter: string) => {
          const condition = filter.read(text, parameter);
          return { countsSql: condition.sql, dimensions, ...condition };
        },
      },
    ]),
  );
}

/** A case-insensitive substring search in one or more columns. */
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

/** A pattern for `like` and `ilike` that matches any string containing this text. */
export function likePattern(text: string): string {
  return `%${text.replace(/[\\%_]/g, (special) => `\\${special}`)}%`;
}

/** PostgreSQL has no year 0. */
const day = z.iso.date().refine((text) => text >= '0001');

/** `filter[x]`, `filter[x__gte]` and `filter[x__lte]` on a UTC day. */
export function dateFilters(name: string, column: string): Filters {
  const nextDay = (text: string) => `(${text} + interval '1 day')`;
  const dayFilter = (relation: string, sql: (day: string) => string): Filter =>
    filter({
      description: `Matches a value of \`${name}\` ${relation} (UTC).`,
      schema: day,
      condition: (value) => ({ sql: (bind) => sql(`${bind(value)}::date::timestamp at time zone 'UTC'`) }),
    });
  return {
    [name]: dayFilter('on this day', (text) => `(${column} >= ${text} and ${column} < ${nextDay(text)})`),
    [`${name}__gte`]: dayFilter('on or after this day', (text) => `${column} >= ${text}`),
    [`${name}__lte`]: dayFilter('on or before this day', (text) => `${column} < ${nextDay(text)}`),
  };
}

/** Quotes names and separates them with commas. */
export function quoteNames(names: readonly string[]): string {
  return names.map((name) => `'${name}'`).join(', ');
}

function describeValues(name: string, schema: z.ZodType): ValueDescriptions {
  return schema instanceof z.ZodUUID
    ? {
        one: `Matches this ${name} ID.`,
        several: `Matches any of these ${name} IDs. Separate them with commas.`,
      }
    : {
        one: `Matches this value of \`${name}\`.`,
        several: `Matches any of these values of \`${name}\`. Separate them with commas.`,
      };
}

function readValue<Value>(schema: z.ZodType<Value, string>, text: string, parameter: string): Value {
  const read = schema.safeParse(text);
  if (read.success) return read.data;
  throw invalidValue(schema, text, parameter);
}

function readEntry<Value>(schema: z.ZodType<Value, string>, text: string, parameter: string): Value {
  const value = readValue(schema, text, parameter);
  if (text !== '') return value;
  throw invalidParameter(parameter, 'The list has an empty value. Separate values with a single comma.');
}

function invalidValue(schema: z.ZodType, text: string, parameter: string): ApiError {
  if (schema instanceof z.ZodEnum) {
    const values = quoteNames(schema.options.map(String));
    return invalidParameter(parameter, `'${text}' is not a valid value. Valid values are ${values}.`);
  }
  if (schema === day) {
    return invalidParameter(parameter, `'${text}' is not a date. Use the format 2026-01-31.`);
  }
  const expected = schema instanceof z.ZodUUID ? 'a UUID' : 'a valid value';
  return invalidParameter(parameter, `'${text}' is not ${expected}.`);
}
