/** What the system call, the TLS library or the HTTP library calls a fault: `ECONNREFUSED`; `undefined`: it has no name. */
export declare function faultCode(fault: unknown): string | undefined;
