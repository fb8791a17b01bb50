const SCHEMES: readonly string[] = ['http:', 'https:', 'mailto:'];

/** The address as it is, where it is a whole one that may be followed; `undefined`: it is none. */
export function safeUrl(address: string): string | undefined {
  const url = URL.parse(address);
  return url !== null && SCHEMES.includes(url.protocol) ? address : undefined;
}
