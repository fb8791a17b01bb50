import type { FastifyInstance } from 'fastify';
import type pg from 'pg';

/** `/health/live`: the process answers. `/health/ready`: it can also reach its database. */
export function registerHealth(app: FastifyInstance, { pool }: { readonly pool: pg.Pool }): void {
  app.get('/health/live', async () => ({ status: 'pass' }));
  app.get('/health/ready', async (request, reply) => {
    try {
      await pool.query('select 1');
      return { status: 'pass' };
    } catch (error) {
      request.log.warn({ err: error }, 'not ready: the database cannot be reached');
      return await reply.code(503).send({ status: 'fail', reason: 'the database cannot be reached' });
    }
  });
}
