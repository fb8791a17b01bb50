import type { Links } from './document.ts';
import { invalidParameter } from './errors.ts';

export interface PageLimits {
  readonly defaultPageSize: number;
  readonly maxPageSize: number;
}

export interface Page {
  /** From 1 on. */
  readonly number: number;
  readonly size: number;
}

/** The far end of what a page number can ask for: beyond it the offset is no exact number any more. */
const MAX_PAGE_NUMBER = 1_000_000_000;

/** Takes `page[number]` and `page[size]` out of the parameters; throws an ApiError where one is out of bounds. */
export function parsePage(parameters: Map<string, string>, limits: PageLimits): Page {
  return {
    number: takeNumber(parameters, 'page[number]', 1, MAX_PAGE_NUMBER),
    size: takeNumber(parameters, 'page[size]', limits.defaultPageSize, limits.maxPageSize),
  };
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
export function paginationMeta(page: Page, count: number): { page: number; pages: number; count: number } {
  return { page: page.number, pages: lastPage(page, count), count };
}

/** The links of a list's page (JSON:API 1.1, pagination); those that lead nowhere are null. */
export function pageLinks(baseUrl: string, requestUrl: string, page: Page, count: number): Links {
  const last = lastPage(page, count);
  // The base may have a path of its own, and the request may name another host (RFC 9112, section 3.2.2).
  const { pathname, search } = new URL(requestUrl, baseUrl);
  const to = (number: number): string => {
    const url = new URL(`${baseUrl}${pathname}${search}`);
    url.searchParams.set('page[number]', String(number));
    url.searchParams.set('page[size]', String(page.size));
    return url.href;
  };
  return {
    self: to(page.number),
    first: to(1),
    prev: page.number > 1 ? to(Math.min(page.number - 1, last)) : null,
    next: page.number < last ? to(page.number + 1) : null,
    last: to(last),
  };
}

function lastPage(page: Page, count: number): number {
  return Math.max(1, Math.ceil(count / page.size));
}
