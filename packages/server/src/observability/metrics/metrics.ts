import type { FastifyInstance } from 'fastify';
import { collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import { SERVICE_VERSION } from '../../lib/version.ts';
import { BlobMetrics } from './blob-metrics.ts';
import { FrameMetrics } from './frame-metrics.ts';
import { HttpMetrics } from './http-metrics.ts';
import { RetentionMetrics } from './retention-metrics.ts';
import { WebhookMetrics } from './webhook-metrics.ts';

/** The metrics of this process. */
export interface Metrics {
  readonly registry: Registry;
  readonly http: HttpMetrics;
  readonly frames: FrameMetrics;
  readonly blobs: BlobMetrics;
  readonly retention: RetentionMetrics;
  readonly webhooks: WebhookMetrics;
}

/** Gauges that are named like counters, contrary to the Prometheus naming conventions. */
const MISNAMED = ['active_handles_total', 'active_requests_total', 'active_resources_total'];

/** Creates a separate registry, so that several services can run in one process. */
export function createMetrics(): Metrics {
  const registry = new Registry();
  // These metrics have no prefix, because generic dashboards expect `process_*` and `nodejs_*`.
  collectDefaultMetrics({ register: registry });
  for (const name of MISNAMED) registry.removeSingleMetric(`nodejs_${name}`);
  const build = new Gauge({
    name: 'sluice_build_info',
    help: 'Always 1; the labels contain the versions of Sluice and Node.js',
    labelNames: ['version', 'node'],
    registers: [registry],
  });
  build.set({ version: SERVICE_VERSION, node: process.versions.node }, 1);
  return {
    registry,
    http: new HttpMetrics(registry),
    frames: new FrameMetrics(registry),
    blobs: new BlobMetrics(registry),
    retention: new RetentionMetrics(registry),
    webhooks: new WebhookMetrics(registry),
  };
}

/** `/metrics`: metrics in the Prometheus text format. */
export function registerMetrics(app: FastifyInstance, registry: Registry): void {
  app.get('/metrics', async (_request, reply) => {
    const text = await registry.metrics();
    return await reply.header('content-type', registry.contentType).send(text);
  });
}
