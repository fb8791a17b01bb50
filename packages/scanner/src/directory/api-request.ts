import type { z } from 'zod';
import type { ScopeResource } from './dialect.ts';

/** A read request to the management API. */
export interface ApiRequest<Value> {
  /** Path with a leading slash. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  /** The required scope. */
  readonly scope: ScopeResource;
  /** Whether a 404 means that the organization does not offer the resource, rather than that an object was deleted. */
  readonly isFeature: boolean;
  /** Schema of the response, or of each element of a list. */
  readonly schema: z.ZodType<Value>;
}

/** Name of the request in messages, without pagination parameters. */
export function nameOf({ path, query }: ApiRequest<unknown>): string {
  const { limit: _, ...filters } = query ?? {};
  const search = querySearch(filters);
  return `GET ${path}${search === '' ? '' : `?${decodeURIComponent(search)}`}`;
}

/** Encodes a query. Spaces become `%20` (RFC 3986), because `+` represents a space only in forms. */
export function querySearch(query: Readonly<Record<string, string>>): string {
  return Object.entries(query)
    .map((pair) => pair.map(encodeURIComponent).join('='))
    .join('&');
}

/** Derives a description of the expected response from a schema error. */
export function expectedValue({ issues }: z.ZodError): string {
  const field = issues[0]?.path.join('.') ?? '';
  return field === '' ? 'an object' : `an object with a valid '${field}'`;
}
