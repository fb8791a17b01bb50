import { invalidParameter } from './errors.ts';
import { type Condition, type Filters, quoteNames } from './filters.ts';
import { type PageLimits, type PageRequest, parsePage, parseResume, takeNumber } from './page.ts';
import { parseSort, type SortKeys, type SortTerm } from './sort.ts';

/** The query parameters of an endpoint. All other parameters are rejected. */
export interface QueryDescription {
  /** Resource types that `fields[type]` supports, with their attributes. The primary type comes first. */
  readonly fields: Readonly<Record<string, readonly string[]>>;
  /** The supported values of `include`. */
  readonly includes?: readonly string[];
  /** Parameters that only list endpoints support. */
  readonly list?: ListDescription;
  readonly filters?: Filters;
  /** Required parameters of this endpoint, each with its valid values. */
  readonly options?: Readonly<Record<string, OptionDescription>>;
  /** Optional parameters of this endpoint whose values are integers from 1. */
  readonly numbers?: Readonly<Record<string, NumberDescription>>;
}

interface NumberDescription {
  readonly description: string;
  readonly max: number;
}

interface OptionDescription {
  readonly description: string;
  readonly values: readonly string[];
}

export interface ListDescription {
  readonly sorts: SortKeys;
  /** Default sort order, in the syntax of the `sort` parameter. */
  readonly defaultSort: string;
  /** Whether the list supports `page[after]`. */
  readonly cursors?: boolean;
  /** Whether the list supports `page[position]`. Requires `cursors`. */
  readonly positions?: boolean;
  /**
   * Whether the response contains the whole list. `page[after]` is then the id of the last resource received, and
   * `page[after_values]` its values.
   */
  readonly isWhole?: boolean;
}

export interface Query {
  readonly conditions: readonly Condition[];
  /** The `filter[name]` parameters and their values. */
  readonly filters: ReadonlyMap<string, string>;
  /** The values of the endpoint's `options`. */
  readonly options: ReadonlyMap<string, string>;
  /** The values of the endpoint's `numbers` in the request. */
  readonly numbers: ReadonlyMap<string, number>;
  /** The `sort` parameter or its default. A cursor is valid only for the same sort order. */
  readonly order: string;
  readonly sort: readonly SortTerm[];
  readonly page: PageRequest;
  /** The selected attributes by type. For types without an entry, all attributes are selected. */
  readonly fields: ReadonlyMap<string, ReadonlySet<string>>;
  readonly include: ReadonlySet<string>;
}

/** The result of `parseQueryString`. */
export type QueryString = Readonly<Record<string, unknown>>;

const FILTER = /^filter\[(.+)\]$/;

/** Parses a query string. Throws an ApiError (400) for the first invalid parameter. */
export function parseQuery(query: QueryString, description: QueryDescription, limits: PageLimits): Query {
  const { list, filters = {} } = description;
  const conditions: Condition[] = [];
  const filterTexts = new Map<string, string>();
  const remaining = new Map<string, string>();
  for (const [parameter, value] of Object.entries(query)) {
    const text = singleValue(parameter, value);
    const filterName = FILTER.exec(parameter)?.[1];
    if (filterName === undefined) {
      remaining.set(parameter, text);
      continue;
    }
    const filter = Object.hasOwn(filters, filterName) ? filters[filterName] : undefined;
    if (filter === undefined) throw unknownFilter(parameter, filterName, filters);
    conditions.push(filter.read(text, parameter));
    filterTexts.set(parameter, text);
  }
  for (const [name, { whenAbsent }] of Object.entries(filters))
    if (whenAbsent !== undefined && !filterTexts.has(`filter[${name}]`)) conditions.push(whenAbsent);
  const options = parseOptions(remaining, description.options ?? {});
  const numbers = parseNumbers(remaining, description.numbers ?? {});
  const order = list === undefined ? undefined : (take(remaining, 'sort') ?? list.defaultSort);
  const sort = list === undefined || order === undefined ? [] : parseSort(order, list.sorts);
  const page =
    list === undefined
      ? { number: 1, size: 1 }
      : list.isWhole === true
        ? parseResume(remaining)
        : parsePage(remaining, limits, list.cursors === true ? order : undefined, list.positions);
  const fields = parseFields(remaining, description.fields);
  const include = parseInclude(take(remaining, 'include'), description.includes ?? []);
  for (const parameter of remaining.keys()) {
    throw invalidParameter(parameter, `Unknown query parameter '${parameter}'.`);
  }
  return {
    conditions,
    filters: filterTexts,
    options,
    numbers,
    order: order ?? '',
    sort,
    page,
    fields,
    include,
  };
}

function unknownFilter(parameter: string, name: string, filters: Filters) {
  const known = Object.keys(filters);
  return invalidParameter(
    parameter,
    known.length === 0
      ? 'This endpoint has no filters.'
      : `Unknown filter '${name}'. Valid filters are ${quoteNames(known)}.`,
  );
}

function singleValue(parameter: string, value: unknown): string {
  if (typeof value === 'string' && !value.includes('\0')) return value;
  if (typeof value === 'string')
    throw invalidParameter(parameter, 'The parameter contains the character U+0000.');
  if (value === null) throw invalidParameter(parameter, 'The parameter is not percent-encoded UTF-8.');
  throw invalidParameter(parameter, 'The parameter appears more than once. Send it once.');
}

function take(remaining: Map<string, string>, name: string): string | undefined {
  const value = remaining.get(name);
  remaining.delete(name);
  return value;
}

function parseOptions(
  remaining: Map<string, string>,
  options: Readonly<Record<string, OptionDescription>>,
): ReadonlyMap<string, string> {
  return new Map(
    Object.entries(options).map(([name, { values }]) => {
      const text = take(remaining, name);
      if (text !== undefined && values.includes(text)) return [name, text];
      const problem = text === undefined ? 'The parameter is required' : `'${text}' is not a valid value`;
      throw invalidParameter(name, `${problem}. Valid values are ${quoteNames(values)}.`);
    }),
  );
}

function parseNumbers(
  remaining: Map<string, string>,
  numbers: Readonly<Record<string, NumberDescription>>,
): ReadonlyMap<string, number> {
  const values = new Map<string, number>();
  for (const [name, { max }] of Object.entries(numbers)) {
    const value = takeNumber(remaining, name, undefined, max);
    if (value !== undefined) values.set(name, value);
  }
  return values;
}

function parseFields(
  remaining: Map<string, string>,
  types: QueryDescription['fields'],
): ReadonlyMap<string, ReadonlySet<string>> {
  const fields = new Map<string, ReadonlySet<string>>();
  for (const [type, attributes] of Object.entries(types)) {
    const parameter = `fields[${type}]`;
    const text = take(remaining, parameter);
    if (text === undefined) continue;
    const names = splitNames(text);
    const unknown = names.find((name) => !attributes.includes(name));
    if (unknown !== undefined) {
      const known = quoteNames(attributes);
      throw invalidParameter(parameter, `Unknown field '${unknown}'. Valid fields are ${known}.`);
    }
    fields.set(type, new Set(names));
  }
  return fields;
}

/**
 * JSON:API 1.1, "Inclusion of Related Resources": an unknown path results in a 400, even if the endpoint does not
 * support `include`.
 */
function parseInclude(text: string | undefined, known: readonly string[]): ReadonlySet<string> {
  if (text === undefined) return new Set();
  const names = splitNames(text);
  const unknown = names.find((name) => !known.includes(name));
  if (unknown === undefined && known.length > 0) return new Set(names);
  throw invalidParameter(
    'include',
    known.length === 0
      ? 'This endpoint has no related resources to include.'
      : `Unknown relationship '${unknown ?? text}'. Valid values are ${quoteNames(known)}.`,
  );
}

/** Splits a comma-separated list of names. Ignores empty names. */
function splitNames(text: string): readonly string[] {
  return text
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
}

/** The attributes that the client selected (JSON:API 1.1, "Sparse Fieldsets"). */
export function selectFields<Attributes extends Readonly<Record<string, unknown>>>(
  attributes: Attributes,
  fields: ReadonlySet<string> | undefined,
): Partial<Attributes> {
  if (fields === undefined) return attributes;
  const entries = Object.entries(attributes).filter(([name]) => fields.has(name));
  // TypeScript cannot infer that a subset of the entries is a partial object.
  const selected: Record<string, unknown> = Object.fromEntries(entries);
  return selected as Partial<Attributes>;
}

/**
 * Parses a query string: percent-encoded UTF-8 with `+` for a space. An invalid encoding results in the value `null`,
 * and a repeated parameter in an array. Must not throw, because the router calls it outside of any handler.
 */
export function parseQueryString(text: string): Record<string, unknown> {
  const values = new Map<string, unknown>();
  for (const pair of text.split('&').filter((part) => part !== '')) {
    const equals = pair.indexOf('=');
    const rawName = equals < 0 ? pair : pair.slice(0, equals);
    const name = decode(rawName);
    const value = name === null ? null : decode(equals < 0 ? '' : pair.slice(equals + 1));
    const key = name ?? rawName;
    values.set(key, values.has(key) ? [values.get(key), value].flat() : value);
  }
  // Unlike an assignment, `fromEntries` treats `__proto__` as an ordinary property.
  return Object.fromEntries(values);
}

function decode(text: string): string | null {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return null;
  }
}
