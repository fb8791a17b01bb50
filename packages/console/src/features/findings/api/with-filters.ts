import { createQuerySerializer } from 'openapi-fetch';

/** Adds the filters from `filterQuery` to a request's query string. */
export function withFilters(filters: string) {
  const serialize = createQuerySerializer({ array: { style: 'form', explode: false } });
  return { querySerializer: (query: unknown) => [serialize(query), filters].filter(Boolean).join('&') };
}
