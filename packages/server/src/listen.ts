import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { codeOf } from './error-code.ts';
import { OperatorError } from './operator-error.ts';

/** The calls of the system that `HOST` and `PORT` are for; any other failure is of the service itself. */
const CALLS: readonly unknown[] = ['listen', 'getaddrinfo'];

/**
 * Listens and gives the address back; throws an OperatorError where that is not possible, which names the `settings`
 * to change. What else keeps the service from starting is thrown as it is.
 */
export async function listen(
  app: FastifyInstance,
  { host, port }: { readonly host: string; readonly port: number },
  settings: string,
): Promise<string> {
  try {
    await app.listen({ host, port });
  } catch (error) {
    if (!(error instanceof Error && 'syscall' in error && CALLS.includes(error.syscall))) throw error;
    const reason = codeOf(error) === 'EADDRINUSE' ? 'it is taken' : error.message;
    throw new OperatorError(`cannot listen on ${host} port ${port}: ${reason}; set ${settings}`, {
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
