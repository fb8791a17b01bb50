/** Returns the origin of a public URL. Throws a {@link TypeError} if the URL is not an origin. */
export function originOf(publicUrl: string): string {
  const url = URL.parse(publicUrl);
  const isWeb = url?.protocol === 'https:' || url?.protocol === 'http:';
  if (url === null || !isWeb || url.href !== `${url.origin}/`)
    throw new TypeError(`The public URL must be an origin such as https://acme.example, not '${publicUrl}'.`);
  return url.origin;
}
