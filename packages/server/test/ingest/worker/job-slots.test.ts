import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ClaimedFrame } from '../../../src/ingest/worker/claim.ts';
import { JobSlots } from '../../../src/ingest/worker/worker.ts';

describe('worker thread slots', () => {
  /** A frame queue as a list of job IDs. Claims the oldest frame of a job below its limit. */
  const queueOf = (jobs: readonly string[]) => {
    const queue = [...jobs];
    return async (fullJobs: readonly string[]): Promise<ClaimedFrame | undefined> => {
      const at = queue.findIndex((job) => !fullJobs.includes(job));
      const [ingestionId] = at < 0 ? [] : queue.splice(at, 1);
      return ingestionId === undefined ? undefined : ({ ingestionId } as ClaimedFrame);
    };
  };
  const jobsOf = (claims: readonly (ClaimedFrame | undefined)[]) => claims.map((claim) => claim?.ingestionId);

  it('never assigns all slots to one job, even if several frames are claimed concurrently', async () => {
    const slots = new JobSlots(3);
    const claimFrame = queueOf(['large', 'large', 'large', 'large', 'large', 'small']);
    const claims = await Promise.all([1, 2, 3, 4, 5].map(() => slots.claim(claimFrame)));
    assert.deepEqual(jobsOf(claims), ['large', 'large', 'large', 'small', undefined]);
  });

  it('reassigns a slot to the same job once one of its frames is released', async () => {
    const slots = new JobSlots(1);
    const claimFrame = queueOf(['large', 'large']);
    const first = await slots.claim(claimFrame);
    assert.ok(first !== undefined);
    assert.equal(slots.isIdle, false);
    assert.equal(await slots.claim(claimFrame), undefined);
    slots.release(first);
    assert.equal(slots.isIdle, true);
    assert.deepEqual(jobsOf([await slots.claim(claimFrame)]), ['large']);
  });

  it('releases the slot if the claim fails', async () => {
    const slots = new JobSlots(1);
    await assert.rejects(
      slots.claim(() => Promise.reject(new Error('away'))),
      /away/,
    );
    assert.deepEqual(jobsOf([await slots.claim(queueOf(['large']))]), ['large']);
  });
});
