import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { Links } from './document.ts';
import { invalidParameter } from './errors.ts';
import type { Query } from './query.ts';
import { truncateTexts } from './truncate-texts.ts';
import { isUuid } from './uuid.ts';

/** Maximum page number, so that the offset remains a safe integer. */
export const MAX_PAGE_NUMBER = 1_000_000_000;

export interface PageLimits {
  readonly defaultPageSize: number;
  readonly maxPageSize: number;
}

/** A page, selected by number, cursor or position. */
export interface PageRequest {
  /** Starts at 1. */
  readonly number: number;
  readonly size: number;
  /**
   * The position that the cursor encodes, one value per sort term. Empty for the first page. Takes precedence over
   * `number`.
   */
  readonly after?: readonly string[];
  /** The values of the resource `after` which a whole list continues, as the client received them. */
  readonly afterValues?: ReadonlyMap<string, string | null>;
  /** The fraction of the list that precedes the page, approximately, from 0 to 1. */
  readonly position?: number;
}

/** The position of a page in its list. */
export interface PagePosition {
  /**
   * Total number of resources. `undefined` for a page selected by cursor or position, because counting would take
   * longer than reading the page.
   */
  readonly count: number | undefined;
  /** Cursor of the next page. `null` for the last page and for numbered pages. */
  readonly next: string | null;
}

/**
 * Removes `page[number]`, `page[size]` and, if the list supports cursors, `page[after]` from the parameters and parses
 * them. `page[after]` takes precedence over `page[position]`, and both over `page[number]`. `sort` is the sort order
 * that a cursor must match; `undefined` if the list has no cursors. If `hasPositions`, the list supports
 * `page[position]`. Throws an ApiError (400).
 */
export function parsePage(
  parameters: Map<string, string>,
  limits: PageLimits,
  sort: string | undefined,
  hasPositions = false,
): PageRequest {
  const size = takeNumber(parameters, 'page[size]', limits.defaultPageSize, limits.maxPageSize);
  const position = hasPositions ? takePosition(parameters) : undefined;
  const cursor = sort === undefined ? undefined : parameters.get('page[after]');
  const number = takeNumber(parameters, 'page[number]', 1, MAX_PAGE_NUMBER);
  if (sort === undefined || cursor === undefined)
    return position === undefined ? { number, size } : { number: 1, size, position };
  parameters.delete('page[after]');
  return { number: 1, size, after: cursor === '' ? [] : readCursor(cursor, sort) };
}

/**
 * Removes `page[after]` and `page[after_values]` from the parameters of a response that contains the whole list, and
 * parses them: the id of the last resource that the client received, or empty, and its values. Throws an ApiError
 * (400).
 */
export function parseResume(parameters: Map<string, string>): PageRequest {
  const id = parameters.get('page[after]');
  parameters.delete('page[after]');
  const afterValues = takeValues(parameters);
  if (id === undefined || id === '') return { number: 1, size: 1 };
  if (!isUuid(id)) throw invalidParameter('page[after]', `'${id}' is not a UUID.`);
  return { number: 1, size: 1, after: [id], ...(afterValues && { afterValues }) };
}

const receivedValues = z.record(z.string(), z.string().nullable());

function takeValues(parameters: Map<string, string>): ReadonlyMap<string, string | null> | undefined {
  const name = 'page[after_values]';
  const text = parameters.get(name);
  if (text === undefined) return undefined;
  parameters.delete(name);
  const { data } = receivedValues.safeParse(parseJson(text));
  if (data !== undefined) return new Map(Object.entries(data));
  throw invalidParameter(name, 'The parameter is not a JSON object whose values are strings or null.');
}

/** Returns `undefined` for invalid JSON. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function takePosition(parameters: Map<string, string>): number | undefined {
  const name = 'page[position]';
  const text = parameters.get(name);
  if (text === undefined) return undefined;
  parameters.delete(name);
  const fraction = /^\d+(\.\d+)?(e[+-]?\d+)?$/i.test(text) ? Number(text) : Number.NaN;
  if (!(fraction >= 0 && fraction <= 1))
    throw invalidParameter(name, `'${text}' is not valid. Use a decimal number from 0 to 1.`);
  return fraction;
}

/** Removes an integer from 1 to `max` from the parameters. Throws an ApiError (400). */
export function takeNumber<Fallback>(
  parameters: Map<string, string>,
  name: string,
  fallback: Fallback,
  max: number,
): number | Fallback {
  const text = parameters.get(name);
  parameters.delete(name);
  if (text === undefined) return fallback;
  const value = /^\d{1,15}$/.test(text) ? Number(text) : 0;
  if (value < 1 || value > max)
    throw invalidParameter(
      name,
      `'${text}' is not valid. Use an integer from 1 to ${max.toLocaleString('en')}.`,
    );
  return value;
}

function readCursor(cursor: string, sort: string): readonly string[] {
  const content = parseJson(Buffer.from(cursor, 'base64url').toString());
  if (!Array.isArray(content) || content[0] !== sort || content.length < 2) throw invalidCursor();
  return content.slice(1).map((value: unknown) => {
    if (typeof value !== 'string' || value.includes('\0')) throw invalidCursor();
    return value;
  });
}

/** Encodes the sort order and a row's position in it. Cursors are opaque to clients. */
export function writeCursor(sort: string, position: readonly string[]): string {
  return Buffer.from(JSON.stringify([sort, ...position])).toString('base64url');
}

/** Returns the 400 error for a cursor that is malformed or belongs to another sort order. */
export function invalidCursor(): Error {
  return invalidParameter(
    'page[after]',
    'The cursor is invalid. Use the cursor from links.next of the same list with the same sort order, or leave it empty for the first page.',
  );
}

export interface ListResponseOptions {
  readonly data: readonly object[];
  /** Related resources, if the request includes any. */
  readonly included?: readonly object[] | undefined;
  readonly page: PagePosition;
  readonly query: Query;
  readonly request: FastifyRequest;
  readonly publicUrl: string;
  readonly meta?: Readonly<Record<string, unknown>>;
}

/** Returns the 200 response of a list: truncated strings, pagination links and, for numbered pages, the total count. */
export function listResponse({
  data,
  included,
  page,
  query,
  request,
  publicUrl,
  meta = {},
}: ListResponseOptions) {
  const links =
    page.count === undefined
      ? cursorLinks(publicUrl, request.url, query, page.next)
      : pageLinks(publicUrl, request.url, query.page, page.count);
  const pagination = page.count === undefined ? {} : { pagination: paginationMeta(query.page, page.count) };
  const { textMax, ...truncated } = truncateTexts(data, included);
  return {
    status: 200,
    document: {
      ...truncated,
      links,
      meta: { ...pagination, ...(textMax !== undefined && { text_max_length: textMax }), ...meta },
    },
  };
}

/** `meta.pagination` of a list. */
function paginationMeta(page: PageRequest, count: number): { page: number; pages: number; count: number } {
  return { page: page.number, pages: lastPage(page, count), count };
}

/** Pagination links for a numbered page (JSON:API 1.1, "Pagination"). Links to pages that do not exist are null. */
function pageLinks(baseUrl: string, requestUrl: string, page: PageRequest, count: number): Links {
  const last = lastPage(page, count);
  const to = (number: number) => linkTo(baseUrl, requestUrl, page, 'page[number]', String(number));
  return {
    self: to(page.number),
    first: to(1),
    prev: page.number > 1 ? to(Math.min(page.number - 1, last)) : null,
    next: page.number < last ? to(page.number + 1) : null,
    last: to(last),
  };
}

/** Pagination links for a page selected by cursor or position. Cursors support only forward pagination. */
function cursorLinks(
  baseUrl: string,
  requestUrl: string,
  { page, order }: { readonly page: PageRequest; readonly order: string },
  next: string | null,
): Links {
  const to = (cursor: string) => linkTo(baseUrl, requestUrl, page, 'page[after]', cursor);
  const { after = [], position } = page;
  const self =
    position === undefined
      ? to(after.length === 0 ? '' : writeCursor(order, after))
      : linkTo(baseUrl, requestUrl, page, 'page[position]', String(position));
  return { self, first: to(''), prev: null, next: next === null ? null : to(next), last: null };
}

function linkTo(
  baseUrl: string,
  requestUrl: string,
  page: PageRequest,
  parameter: string,
  value: string,
): string {
  // The base URL may have a path, and the request target may contain another host (RFC 9112, section 3.2.2).
  const { pathname, search } = new URL(requestUrl, baseUrl);
  const url = new URL(`${baseUrl}${pathname}${search}`);
  if (parameter === 'page[after]') {
    url.searchParams.delete('page[number]');
    url.searchParams.delete('page[position]');
  }
  url.searchParams.set(parameter, value);
  url.searchParams.set('page[size]', String(page.size));
  return url.href;
}

function lastPage(page: PageRequest, count: number): number {
  return Math.max(1, Math.ceil(count / page.size));
}
