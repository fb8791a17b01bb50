import Fastify from 'fastify';
import type { Config } from '../config/config.ts';
import type { Health } from '../observability/health/health.ts';
import { registerHealth } from '../observability/health/routes.ts';
import type { Metrics } from '../observability/metrics/metrics.ts';
import { registerMetrics } from '../observability/metrics/routes.ts';
import type { Tracing } from '../observability/traces/tracing.ts';
import { listen } from './listen.ts';

/** The metrics, health checks and traces of a process, to which every component contributes. */
export interface Operations {
  readonly metrics: Metrics;
  readonly health: Health;
  readonly tracing: Tracing;
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
