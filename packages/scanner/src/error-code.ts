/** The error code of a system call, the TLS library or the HTTP library, such as `ECONNREFUSED`; `undefined` if there is none. */
export function errorCode(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  if ('code' in error && typeof error.code === 'string') return error.code;
  // If a host has several addresses, there is one error per address.
  return error instanceof AggregateError
    ? error.errors.map(errorCode).find((code) => code !== undefined)
    : undefined;
}

const UNREACHABLE = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EAI_FAIL',
  'EHOSTUNREACH',
  'EHOSTDOWN',
  'ENETUNREACH',
  'ENETDOWN',
  'EADDRNOTAVAIL',
  'UND_ERR_CONNECT_TIMEOUT',
]);

/** Whether the error means that no connection to the host, or to its proxy, could be established. */
export function isUnreachable(code: string | undefined): boolean {
  return code !== undefined && UNREACHABLE.has(code);
}
