import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type HeldService, joinHeldService, processJobs, releaseFrame } from '../../support/held-jobs.ts';
import { record } from '../../support/records.ts';
import { until } from '../../support/until.ts';

describe("a claim of a job's end", () => {
  let held: HeldService;
  before(async () => {
    held = await joinHeldService();
  });
  after(() => held.leave());

  for (const [description, parts] of [
    ['an upload with coverage', { coverage: 'account' }],
    ['a dry run', { dry_run: 'true' }],
  ] as const)
    it(`does not wait for the worker that finishes the last frame of ${description}`, async () => {
      const { service, client, session } = held;
      const { id } = (await client.upload([record()], { parts })).body.data;
      const frame = await service.connect();
      try {
        // As at the end of the frame, before another worker sees that the job has begun.
        await frame.query('begin');
        await frame.query('select from ingestions where tenant_id = $1 and id = $2 for no key update', [
          service.tenantId,
          id,
        ]);
        await releaseFrame(session, id, 1);
        await until(async () => {
          const { rowCount } = await session.query(
            'select from frame_queue where ingestion_id = $1 and number = 1 and available_at > clock_timestamp()',
            [id],
          );
          return rowCount === 1;
        });
      } finally {
        await frame.end();
      }
      await processJobs(session, service.tenantId, [id]);
      assert.equal((await client.ended(id)).attributes.status, 'completed');
    });
});
