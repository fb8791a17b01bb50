const SCHEMES: readonly string[] = ['http:', 'https:', 'mailto:'];

/** Returns the URL if it is absolute and has an allowed scheme, otherwise `undefined`. */
export function safeUrl(url: string): string | undefined {
  const parsed = URL.parse(url);
  return parsed !== null && SCHEMES.includes(parsed.protocol) ? url : undefined;
}
