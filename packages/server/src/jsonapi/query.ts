import { invalidParameter } from './errors.ts';
import { type Condition, type Filters, quoteNames } from './filters.ts';
import { type PageLimits, type PageRequest, parsePage } from './page.ts';
import { parseSort, type SortKeys, type SortTerm } from './sort.ts';

/** What a list, or a single resource, takes in its query string; anything else is refused by name. */
export interface QueryDescription {
  /** Types whose attributes can be chosen with `fields[type]`, with those attributes; the own one first. */
  readonly fields: Readonly<Record<string, readonly string[]>>;
  /** What `include` takes. */
  readonly includes?: readonly string[];
  /** What only a list takes. */
  readonly list?: ListDescription;
  /** Filters that are taken without a list: those of a summary. */
  readonly filters?: Filters;
}

export interface ListDescription {
  readonly sorts: SortKeys;
  /** In the form of the `sort` parameter. */
  readonly defaultSort: string;
  /** Whether `page[after]` is taken beside `page[number]`. */
  readonly cursors?: boolean;
}

export interface Query {
  readonly conditions: readonly Condition[];
  /** As the request, or the default, spells it; a cursor belongs to it. */
  readonly order: string;
  readonly sort: readonly SortTerm[];
  readonly page: PageRequest;
  /** By type; a type that is not there has all of its attributes. */
  readonly fields: ReadonlyMap<string, ReadonlySet<string>>;
  readonly include: ReadonlySet<string>;
}

/** The query string as `parseQueryString` reads it. */
export type QueryString = Readonly<Record<string, unknown>>;

const FILTER = /^filter\[(.+)\]$/;

/** Reads a whole query string; the first thing that is wrong is an ApiError that names its parameter. */
export function parseQuery(query: QueryString, description: QueryDescription, limits: PageLimits): Query {
  const { list, filters = {} } = description;
  const conditions: Condition[] = [];
  const rest = new Map<string, string>();
  for (const [parameter, value] of Object.entries(query)) {
    const text = singleValue(parameter, value);
    const filterName = FILTER.exec(parameter)?.[1];
    if (filterName === undefined) {
      rest.set(parameter, text);
      continue;
    }
    const filter = Object.hasOwn(filters, filterName) ? filters[filterName] : undefined;
    if (filter === undefined) throw unknownFilter(parameter, filterName, filters);
    conditions.push(filter.read(text, parameter));
  }
  const order = list === undefined ? undefined : (take(rest, 'sort') ?? list.defaultSort);
  const sort = list === undefined || order === undefined ? [] : parseSort(order, list.sorts);
  const page =
    list === undefined
      ? { number: 1, size: 1 }
      : parsePage(rest, limits, list.cursors === true ? order : undefined);
  const fields = parseFields(rest, description.fields);
  const include = parseInclude(take(rest, 'include'), description.includes ?? []);
  for (const parameter of rest.keys())
    throw invalidParameter(parameter, `The parameter '${parameter}' is not known here`);
  return { conditions, order: order ?? '', sort, page, fields, include };
}

function unknownFilter(parameter: string, name: string, filters: Filters) {
  const known = Object.keys(filters);
  const there = known.length === 0 ? 'there are none' : `there are ${quoteNames(known)}`;
  return invalidParameter(parameter, `There is no filter '${name}' here; ${there}`);
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

function parseFields(
  rest: Map<string, string>,
  types: QueryDescription['fields'],
): ReadonlyMap<string, ReadonlySet<string>> {
  const fields = new Map<string, ReadonlySet<string>>();
  for (const [type, attributes] of Object.entries(types)) {
    const parameter = `fields[${type}]`;
    const text = take(rest, parameter);
    if (text === undefined) continue;
    const names = splitNames(text);
    const unknown = names.find((name) => !attributes.includes(name));
    if (unknown !== undefined) {
      const known = quoteNames(attributes);
      throw invalidParameter(parameter, `'${unknown}' is no field of ${type}; the fields are ${known}`);
    }
    fields.set(type, new Set(names));
  }
  return fields;
}

/** JSON:API 1.1, "Inclusion of Related Resources": an unknown path is a 400, also where nothing can be included. */
function parseInclude(text: string | undefined, known: readonly string[]): ReadonlySet<string> {
  if (text === undefined) return new Set();
  const names = splitNames(text);
  const unknown = names.find((name) => !known.includes(name));
  if (unknown === undefined && known.length > 0) return new Set(names);
  const there = known.length === 0 ? 'nothing can be included here' : `these can be: ${quoteNames(known)}`;
  throw invalidParameter('include', `'${unknown ?? text}' cannot be included; ${there}`);
}

/** An empty name names nothing. */
function splitNames(text: string): readonly string[] {
  return text
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
}

/** Only the attributes that the client asked for (JSON:API 1.1, sparse fieldsets). */
export function selectFields<Attributes extends Readonly<Record<string, unknown>>>(
  attributes: Attributes,
  fields: ReadonlySet<string> | undefined,
): Partial<Attributes> {
  if (fields === undefined) return attributes;
  const entries = Object.entries(attributes).filter(([name]) => fields.has(name));
  // TypeScript does not know that the entries of an object make a part of it.
  const selected: Record<string, unknown> = Object.fromEntries(entries);
  return selected as Partial<Attributes>;
}
