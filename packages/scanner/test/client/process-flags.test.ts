import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startService } from '../push/support/service.ts';
import { runWithClient } from './run-with-client.ts';

test('does not change process flags when a client uploads a file', async (context) => {
  const service = await startService(context);
  const program = `
    const { runInNewContext } = await import('node:vm');
    await client.upload(${JSON.stringify(import.meta.filename)});
    await client.close();
    console.log(typeof globalThis.gc, runInNewContext('typeof gc'));`;
  const { code, stdout } = await runWithClient(program, service);
  assert.deepEqual({ code, stdout }, { code: 0, stdout: 'undefined undefined\n' });
});
