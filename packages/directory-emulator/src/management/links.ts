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
