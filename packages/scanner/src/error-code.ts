/** What the system call, the TLS library or the HTTP library calls a fault: `ECONNREFUSED`; `undefined`: it has no name. */
export function errorCode(fault: unknown): string | undefined {
  if (!(fault instanceof Error)) return undefined;
  if ('code' in fault && typeof fault.code === 'string') return fault.code;
  // Where a name has several addresses, each has its own error.
  return fault instanceof AggregateError
    ? fault.errors.map(errorCode).find((code) => code !== undefined)
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

/** Whether the fault is that no connection could be opened: with a proxy, none to the proxy. */
export function isUnreachable(code: string | undefined): boolean {
  return code !== undefined && UNREACHABLE.has(code);
}
