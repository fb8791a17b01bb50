import type { Links } from './document.ts';
import { invalidParameter } from './errors.ts';

export interface PageLimits {
  readonly defaultPageSize: number;
  readonly maxPageSize: number;
}

/** A page by its number, or the one after a row. */
export interface PageRequest {
  /** From 1 on. */
  readonly number: number;
  readonly size: number;
  /** Where the page begins, instead of the number: what its cursor holds; empty: at the start. */
  readonly after?: readonly string[];
}

/** The far end of what a page number can ask for: beyond it the offset is no exact number any more. */
export const MAX_PAGE_NUMBER = 1_000_000_000;

/**
 * Takes `page[number]`, `page[size]` and, where there are cursors, `page[after]`, which counts before `page[number]`, out of
 * the parameters; throws an ApiError where one is wrong. `sort` names the order that a cursor belongs to; `undefined`: there are none.
 */
export function parsePage(
  parameters: Map<string, string>,
  limits: PageLimits,
  sort: string | undefined,
): PageRequest {
  const size = takeNumber(parameters, 'page[size]', limits.defaultPageSize, limits.maxPageSize);
  const cursor = sort === undefined ? undefined : parameters.get('page[after]');
  const number = takeNumber(parameters, 'page[number]', 1, MAX_PAGE_NUMBER);
  if (sort === undefined || cursor === undefined) return { number, size };
  parameters.delete('page[after]');
  return { number: 1, size, after: cursor === '' ? [] : readCursor(cursor, sort) };
}

/** A cursor is opaque to clients: the order that it belongs to, and the row's place in it. */
export function writeCursor(sort: string, place: readonly string[]): string {
  return Buffer.from(JSON.stringify([sort, ...place])).toString('base64url');
}

/** The answer to a cursor that this API has not written, or not for this order. */
export function wrongCursor(): Error {
  return invalidParameter(
    'page[after]',
    'page[after] must be a cursor out of links.next of the same list in the same order, or empty for its start',
  );
}

function readCursor(cursor: string, sort: string): readonly string[] {
  let content: unknown;
  try {
    content = JSON.parse(Buffer.from(cursor, 'base64url').toString());
  } catch {
    throw wrongCursor();
  }
  if (!Array.isArray(content) || content[0] !== sort || content.length < 2) throw wrongCursor();
  return content.slice(1).map((value: unknown) => {
    if (typeof value !== 'string' || value.includes('\0')) throw wrongCursor();
    return value;
  });
}

function takeNumber(parameters: Map<string, string>, name: string, fallback: number, max: number): number {
  const text = parameters.get(name);
  parameters.delete(name);
  if (text === undefined) return fallback;
  const value = /^\d{1,15}$/.test(text) ? Number(text) : 0;
  if (value < 1 || value > max)
    throw invalidParameter(name, `${name} must be a whole number from 1 to ${max}, not '${text}'`);
  return value;
}

/** `meta.pagination` of a list. */
export function paginationMeta(
  page: PageRequest,
  count: number,
): { page: number; pages: number; count: number } {
  return { page: page.number, pages: lastPage(page, count), count };
}

/** The links of a list's page (JSON:API 1.1, pagination); those that lead nowhere are null. */
export function pageLinks(baseUrl: string, requestUrl: string, page: PageRequest, count: number): Links {
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

/** The same for a page after a row: one reads on from it, and only on. */
export function cursorLinks(
  baseUrl: string,
  requestUrl: string,
  { page, order }: { readonly page: PageRequest; readonly order: string },
  next: string | null,
): Links {
  const to = (cursor: string) => linkTo(baseUrl, requestUrl, page, 'page[after]', cursor);
  const { after = [] } = page;
  const self = after.length === 0 ? '' : writeCursor(order, after);
  return { self: to(self), first: to(''), prev: null, next: next === null ? null : to(next), last: null };
}

function linkTo(
  baseUrl: string,
  requestUrl: string,
  page: PageRequest,
  parameter: string,
  value: string,
): string {
  // The base may have a path of its own, and the request may name another host (RFC 9112, section 3.2.2).
  const { pathname, search } = new URL(requestUrl, baseUrl);
  const url = new URL(`${baseUrl}${pathname}${search}`);
  if (parameter === 'page[after]') url.searchParams.delete('page[number]');
  url.searchParams.set(parameter, value);
  url.searchParams.set('page[size]', String(page.size));
  return url.href;
}

function lastPage(page: PageRequest, count: number): number {
  return Math.max(1, Math.ceil(count / page.size));
}
