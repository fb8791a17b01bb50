import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { withCleanup } from '../../src/db/with-cleanup.ts';

describe('work with a cleanup', () => {
  const fail = (message: string) => async (): Promise<never> => {
    throw new Error(message);
  };

  it('has the result of the work once the cleanup is done', async () => {
    const done: string[] = [];
    const work = async () => done.push('work');
    assert.equal(await withCleanup(work, async () => done.push('cleanup')), 1);
    assert.deepEqual(done, ['work', 'cleanup']);
  });

  it('throws the error of the work, also where the cleanup fails too', async () => {
    await assert.rejects(withCleanup(fail('of the work'), fail('of the cleanup')), /of the work/);
  });

  it('throws the error of the cleanup where the work has succeeded', async () => {
    await assert.rejects(
      withCleanup(async () => 1, fail('of the cleanup')),
      /of the cleanup/,
    );
  });
});
