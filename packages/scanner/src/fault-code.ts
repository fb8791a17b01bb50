/** What the system call, the TLS library or the HTTP library calls a fault: `ECONNREFUSED`; `undefined`: it has no name. */
export function faultCode(fault: unknown): string | undefined {
  if (!(fault instanceof Error)) return undefined;
  if ('code' in fault && typeof fault.code === 'string') return fault.code;
  // Where a name has several addresses, each has its own error.
  return fault instanceof AggregateError
    ? fault.errors.map(faultCode).find((code) => code !== undefined)
    : undefined;
}
