import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { codeOf, OperatorError } from '../lib/errors.ts';

/** System calls that fail if the host or port cannot be used. Other failures are not caused by these settings. */
const SYSTEM_CALLS: readonly unknown[] = ['listen', 'getaddrinfo'];

/**
 * Starts listening and resolves to the URL. If the address cannot be used, throws an OperatorError that names the
 * `settings` to change. Other errors are thrown unchanged.
 */
export async function listen(
  app: FastifyInstance,
  { host, port }: { readonly host: string; readonly port: number },
  settings: string,
): Promise<string> {
  try {
    await app.listen({ host, port });
  } catch (error) {
    if (!(error instanceof Error && 'syscall' in error && SYSTEM_CALLS.includes(error.syscall))) throw error;
    const reason = codeOf(error) === 'EADDRINUSE' ? 'the port is in use' : error.message;
    throw new OperatorError(`cannot listen on ${host} port ${port}: ${reason}; change ${settings}`, {
      cause: error,
    });
  }
  return addressOf(app.server.address());
}

function addressOf(address: AddressInfo | string | null): string {
  if (address === null || typeof address === 'string')
    throw new Error('the server does not listen on a TCP port');
  const host = address.family === 'IPv6' ? `[${address.address}]` : address.address;
  return `http://${host}:${address.port}`;
}
