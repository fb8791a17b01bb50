import Fastify from 'fastify';
import type { Config } from '../config/config.ts';
import { registerHealth } from '../observability/health/routes.ts';
import { registerMetrics } from '../observability/metrics/routes.ts';
import type { Operations } from '../observability/operations.ts';
import { listen } from './listen.ts';

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
