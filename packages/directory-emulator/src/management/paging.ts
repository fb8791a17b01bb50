import { badRequest, invalidCursor } from '../api-error.ts';
import type { DialectName } from '../options.ts';

const MAX_LIMIT = 200;

export interface Paging {
  readonly query: URLSearchParams;
  /** Objects per page when the query has no `limit`. */
  readonly pageSize: number;
  readonly dialect: DialectName;
}

export interface Page<Item> {
  readonly items: readonly Item[];
  /** `null` on the last page. */
  readonly next: string | null;
}

/**
 * Returns the list page that the query parameters `limit` and `after` select. Throws {@link ApiError} 400 for an
 * invalid cursor or a limit outside the range from 1 to 200.
 */
export function getPage<Item extends { readonly id: string }>(
  items: readonly Item[],
  { query, pageSize, dialect }: Paging,
): Page<Item> {
  const start = startOf(items, query.get('after'));
  if (start === undefined)
    throw dialect === 'okta' ? invalidCursor() : badRequest('after', 'The cursor is invalid.');
  const end = start + sizeOf(query.get('limit'), pageSize);
  const page = items.slice(start, end);
  return { items: page, next: end < items.length ? cursorAfter(page, end) : null };
}

function startOf(items: readonly { readonly id: string }[], cursor: string | null): number | undefined {
  if (cursor === null) return 0;
  const [position = '', id = ''] = cursor.split(/,(.*)/s);
  const expected = Number(position);
  if (items[expected - 1]?.id === id) return expected;
  // The list has changed since the previous page: continue after the last object of that page.
  const found = items.findIndex((item) => item.id === id);
  return found === -1 ? undefined : found + 1;
}

function sizeOf(limit: string | null, defaultSize: number): number {
  if (limit === null) return defaultSize;
  const size = Number(limit);
  if (!Number.isInteger(size) || size < 1 || size > MAX_LIMIT)
    throw badRequest('limit', `must be an integer from 1 to ${MAX_LIMIT}.`);
  return size;
}

/** Formats a cursor as `20,0oa1`. The comma is valid in a URL, but also separates links in a `Link` header. */
function cursorAfter(page: readonly { readonly id: string }[], end: number): string | null {
  const last = page.at(-1);
  return last === undefined ? null : `${end},${last.id}`;
}

/** Returns a cursor that points to the current page, to emulate a faulty directory; `null` if the page is empty. */
export function repeatedCursor(
  page: readonly { readonly id: string }[],
  query: URLSearchParams,
): string | null {
  return query.get('after') ?? cursorAfter(page, page.length);
}

/**
 * Returns the `Link` headers (RFC 8288) of a response: `self`, and `next` except on the last page. Commas in cursors
 * are left unescaped, as RFC 3986 allows, to detect clients that split the header at every comma.
 */
export function linksOf(address: string, query: URLSearchParams, next: string | null): string[] {
  const links = [`<${withQuery(address, query.toString())}>; rel="self"`];
  if (next === null) return links;
  const remaining = new URLSearchParams(query);
  remaining.delete('after');
  const cursor = `after=${encodeURIComponent(next).replaceAll('%2C', ',')}`;
  const parameters = remaining.size === 0 ? cursor : `${cursor}&${remaining}`;
  return [...links, `<${withQuery(address, parameters)}>; rel="next"`];
}

function withQuery(address: string, query: string): string {
  return query === '' ? address : `${address}?${query}`;
}
