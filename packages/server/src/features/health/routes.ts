import type { FastifyInstance } from 'fastify';
import type { Health } from '../../operations/health/health.ts';

/** `/health/live`: the process responds. `/health/ready`: it can serve its role, or the reasons why it cannot. */
export function registerHealth(app: FastifyInstance, health: Health): void {
  app.get('/health/live', async () => ({ status: 'pass' }));
  app.get('/health/ready', async (_request, reply) => {
    const reasons = await health.reasons();
    if (Object.keys(reasons).length === 0) return { status: 'pass' };
    return await reply.code(503).send({ status: 'fail', reasons });
  });
}
