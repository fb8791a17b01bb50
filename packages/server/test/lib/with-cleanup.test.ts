import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { withCleanup } from '../../src/lib/errors.ts';

describe('withCleanup', () => {
  const fail = (message: string) => async (): Promise<never> => {
    throw new Error(message);
  };

  it('returns the result of the work after the cleanup', async () => {
    const done: string[] = [];
    const work = async () => done.push('work');
    assert.equal(await withCleanup(work, async () => done.push('cleanup')), 1);
    assert.deepEqual(done, ['work', 'cleanup']);
  });

  it('throws the error from the work even if the cleanup also fails', async () => {
    await assert.rejects(withCleanup(fail('work failed'), fail('cleanup failed')), /work failed/);
  });

  it('throws the cleanup error if only the cleanup fails', async () => {
    await assert.rejects(
      withCleanup(async () => 1, fail('cleanup failed')),
      /cleanup failed/,
    );
  });
});
