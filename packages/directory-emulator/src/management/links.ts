/**
 * The `Link` headers (RFC 8288) of a response: to itself, and to the next page where there is one. The comma of a
 * cursor stays as it is, which RFC 3986 allows: a client must not split the header at every comma.
 */
export function linksOf(address: string, query: URLSearchParams, next: string | null): string[] {
  const links = [`<${withQuery(address, query.toString())}>; rel="self"`];
  if (next === null) return links;
  const rest = new URLSearchParams(query);
  rest.delete('after');
  const cursor = `after=${encodeURIComponent(next).replaceAll('%2C', ',')}`;
  const parameters = rest.size === 0 ? cursor : `${cursor}&${rest}`;
  return [...links, `<${withQuery(address, parameters)}>; rel="next"`];
}

function withQuery(address: string, query: string): string {
  return query === '' ? address : `${address}?${query}`;
}
