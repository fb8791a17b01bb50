import assert from 'node:assert/strict';
import { it } from 'node:test';
import Fastify from 'fastify';
import { OperatorError } from '../../src/lib/errors.ts';
import { listen } from '../../src/process/listen.ts';

it('rethrows startup errors that are unrelated to the listen address', async () => {
  const app = Fastify();
  app.register(async () => {
    throw new Error('a plugin failed');
  });
  await assert.rejects(listen(app, { host: '127.0.0.1', port: 0 }, 'HOST and PORT'), (error: unknown) => {
    assert.ok(error instanceof Error && !(error instanceof OperatorError));
    assert.equal(error.message, 'a plugin failed');
    return true;
  });
});
