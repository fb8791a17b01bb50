import type { FastifyInstance } from 'fastify';
import type { Registry } from 'prom-client';

/** `/metrics`: metrics in the Prometheus text format. */
export function registerMetrics(app: FastifyInstance, registry: Registry): void {
  app.get('/metrics', async (_request, reply) => {
    const text = await registry.metrics();
    return await reply.header('content-type', registry.contentType).send(text);
  });
}
