import type { FastifyInstance } from 'fastify';
import type { Health } from '../../operations/health/health.ts';

/** `/health/live`: the process answers. `/health/ready`: it can do its part of the service, or says why it cannot. */
export function registerHealth(app: FastifyInstance, health: Health): void {
  app.get('/health/live', async () => ({ status: 'pass' }));
  app.get('/health/ready', async (_request, reply) => {
    const reasons = await health.reasons();
    if (Object.keys(reasons).length === 0) return { status: 'pass' };
    return await reply.code(503).send({ status: 'fail', reasons });
  });
}
