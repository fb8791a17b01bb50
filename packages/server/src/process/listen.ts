import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import Fastify from 'fastify';
import type { Config } from '../config/config.ts';
import { codeOf, OperatorError } from '../lib/errors.ts';
import { registerHealth } from '../observability/health.ts';
import { registerMetrics } from '../observability/metrics/metrics.ts';
import type { Operations } from '../observability/operations.ts';

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

/** Serves metrics and health checks on a separate port, for operators only. */
export async function startOperationsServer(
  { metrics, health }: Operations,
  { host, operationsPort: port }: Config & { readonly operationsPort: number },
): Promise<{ readonly url: string; stop(): Promise<void> }> {
  const app = Fastify({ return503OnClosing: false, forceCloseConnections: true });
  registerHealth(app, health);
  registerMetrics(app, metrics.registry);
  const url = await listen(app, { host, port }, 'SLUICE_OPERATIONS_PORT');
  return { url, stop: () => app.close() };
}
