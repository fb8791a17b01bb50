import type { FastifyInstance } from 'fastify';
import type { Health } from './health.ts';

/** `/health/live` reports that the process responds. `/health/ready` reports whether it can perform its role and, if not, why. */
export function registerHealth(app: FastifyInstance, health: Health): void {
  app.get('/health/live', async () => ({ status: 'pass' }));
  app.get('/health/ready', async (_request, reply) => {
    const reasons = await health.reasons();
    if (Object.keys(reasons).length === 0) return { status: 'pass' };
    return await reply.code(503).send({ status: 'fail', reasons });
  });
}
