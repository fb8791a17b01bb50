import { invalidParameter } from './errors.ts';
import { type Page, type PageLimits, parsePage } from './page.ts';

/** One condition on a list: SQL around parameters that the caller numbers. */
export interface Condition {
  readonly sql: (bind: (value: unknown) => string) => string;
}

/** How one `filter[name]` is read; throws an ApiError that says what it takes. */
export type Filter = (value: string, parameter: string) => Condition;

/** What a list takes in its query string; anything else is refused by name. */
export interface ListDescription {
  /** Resource type, for `fields[type]`. */
  readonly type: string;
  readonly attributes: readonly string[];
  readonly filters: Readonly<Record<string, Filter>>;
  /** Sort keys and the SQL they stand for. */
  readonly sorts: Readonly<Record<string, string>>;
  /** In the form of the `sort` parameter. */
  readonly defaultSort: string;
}

export interface ListQuery {
  readonly conditions: readonly Condition[];
  readonly orderBy: string;
  readonly page: Page;
  /** `undefined`: all of them. */
  readonly fields: ReadonlySet<string> | undefined;
}

/** The query string as `parseQueryString` reads it. */
export type QueryString = Readonly<Record<string, unknown>>;

const FILTER = /^filter\[(.+)\]$/;

/** Reads the whole query string of a list; the first thing that is wrong is an error that names its parameter. */
export function parseListQuery(query: QueryString, list: ListDescription, limits: PageLimits): ListQuery {
  const conditions: Condition[] = [];
  const rest = new Map<string, string>();
  for (const [parameter, value] of Object.entries(query)) {
    const text = singleValue(parameter, value);
    const filterName = FILTER.exec(parameter)?.[1];
    if (filterName === undefined) {
      rest.set(parameter, text);
      continue;
    }
    const filter = Object.hasOwn(list.filters, filterName) ? list.filters[filterName] : undefined;
    if (filter === undefined) {
      throw invalidParameter(
        parameter,
        `There is no filter '${filterName}' here; there are ${listNames(Object.keys(list.filters))}`,
      );
    }
    conditions.push(filter(text, parameter));
  }
  const page = parsePage(rest, limits);
  const orderBy = parseSort(take(rest, 'sort') ?? list.defaultSort, list);
  const fields = parseFields(rest, list);
  assertNoneLeft(rest);
  return { conditions, orderBy, page, fields };
}

/** Reads the query string of a single resource: only `fields[type]` may be there. */
export function parseResourceQuery(
  query: QueryString,
  list: Pick<ListDescription, 'type' | 'attributes'>,
): Pick<ListQuery, 'fields'> {
  const rest = new Map(
    Object.entries(query).map(([parameter, value]) => [parameter, singleValue(parameter, value)]),
  );
  const fields = parseFields(rest, list);
  assertNoneLeft(rest);
  return { fields };
}

/** The given names as a person would list them. */
export function listNames(names: readonly string[]): string {
  return names.map((name) => `'${name}'`).join(', ');
}

function singleValue(parameter: string, value: unknown): string {
  if (typeof value === 'string' && !value.includes('\0')) return value;
  if (typeof value === 'string')
    throw invalidParameter(parameter, `The parameter ${parameter} holds the character U+0000`);
  if (value === null)
    throw invalidParameter(parameter, `The parameter ${parameter} is not percent-encoded UTF-8`);
  throw invalidParameter(parameter, `The parameter ${parameter} is given more than once; give it once`);
}

function take(rest: Map<string, string>, name: string): string | undefined {
  const value = rest.get(name);
  rest.delete(name);
  return value;
}

function assertNoneLeft(rest: ReadonlyMap<string, string>): void {
  for (const parameter of rest.keys()) {
    throw invalidParameter(parameter, `The parameter '${parameter}' is not known here`);
  }
}

function parseSort(text: string, list: ListDescription): string {
  const keys = text.split(',').map((key) => key.trim());
  const terms = keys.map((key) => {
    const name = key.startsWith('-') ? key.slice(1) : key;
    const sql = Object.hasOwn(list.sorts, name) ? list.sorts[name] : undefined;
    if (sql === undefined) {
      throw invalidParameter(
        'sort',
        `Cannot sort by '${name}'; the sort keys are ${listNames(Object.keys(list.sorts))}, with '-' before one for descending order`,
      );
    }
    return `${sql} ${key.startsWith('-') ? 'desc' : 'asc'} nulls last`;
  });
  return terms.join(', ');
}

function parseFields(
  rest: Map<string, string>,
  { type, attributes }: Pick<ListDescription, 'type' | 'attributes'>,
): ReadonlySet<string> | undefined {
  const parameter = `fields[${type}]`;
  const text = take(rest, parameter);
  if (text === undefined) return undefined;
  const names = text
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
  const unknown = names.find((name) => !attributes.includes(name));
  if (unknown !== undefined) {
    throw invalidParameter(
      parameter,
      `'${unknown}' is no field of ${type}; the fields are ${listNames(attributes)}`,
    );
  }
  return new Set(names);
}

/** Only the attributes that the client asked for (JSON:API 1.1, sparse fieldsets). */
export function selectFields(
  attributes: Readonly<Record<string, unknown>>,
  fields: ReadonlySet<string> | undefined,
): Readonly<Record<string, unknown>> {
  if (fields === undefined) return attributes;
  return Object.fromEntries(Object.entries(attributes).filter(([name]) => fields.has(name)));
}
