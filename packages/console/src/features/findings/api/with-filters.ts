import { createQuerySerializer } from 'openapi-fetch';

/** Beside a request's own parameters: the filters, as `filterQuery` writes them. */
export function withFilters(filters: string) {
  const own = createQuerySerializer({ array: { style: 'form', explode: false } });
  return { querySerializer: (query: unknown) => [own(query), filters].filter(Boolean).join('&') };
}
