import type { z } from 'zod';
import type { ScopeResource } from './dialect.ts';

/** One thing to read from the management API. */
export interface ApiRequest<Value> {
  /** With its leading slash. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  /** The scope that the directory wants for it. */
  readonly scope: ScopeResource;
  /** What a 404 means: that the organization does not offer it, or that a part of something has gone missing. */
  readonly whole: boolean;
  /** Of the response, or of each element of a list. */
  readonly schema: z.ZodType<Value>;
}

/** The request without what only pages through it. */
export function nameOf({ path, query }: ApiRequest<unknown>): string {
  const { limit: _, ...rest } = query ?? {};
  const search = querySearch(rest);
  return `GET ${path}${search === '' ? '' : `?${decodeURIComponent(search)}`}`;
}

/** A query as every server reads it: a blank is `%20` (RFC 3986), as `+` means one in forms only. */
export function querySearch(query: Readonly<Record<string, string>>): string {
  return Object.entries(query)
    .map((pair) => pair.map(encodeURIComponent).join('='))
    .join('&');
}

/** What a response should have been, from what is wrong with it. */
export function wanted({ issues }: z.ZodError): string {
  const field = issues[0]?.path.join('.') ?? '';
  return field === '' ? 'an object' : `an object with a readable '${field}'`;
}
