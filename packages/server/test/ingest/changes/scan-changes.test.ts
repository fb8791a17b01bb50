import { after, before, describe, it } from 'node:test';
import { type HeldService, joinHeldService } from '../../support/held-jobs.ts';
import { isWholeRun } from '../../support/is-whole-run.ts';
import { randomNumbers } from '../../support/random-numbers.ts';
import { assertTrueCounts } from '../../support/true-counts.ts';
import { ChangesOfUploads } from './changes-of-uploads.ts';
import { expectedSteps, type Observation, type Upload } from './changes-oracle.ts';
import { ORDERS, randomUploads } from './random-uploads.ts';

const UPLOADS = isWholeRun ? 8 : 4;

/** Three uploads that report a finding on three days with two results: all combinations. */
function allHistories(): readonly (readonly [Observation, Observation, Observation])[] {
  const observations = [1, 2, 3].flatMap((time) =>
    (['PASS', 'FAIL'] as const).map((status) => ({ time, status })),
  );
  const combinations = observations.flatMap((first) =>
    observations.flatMap((second) => observations.map((third) => [first, second, third] as const)),
  );
  const common = { check: 'check-1', muted: false, severity: 'high' } as const;
  return combinations.map(([first, second, third], index) => [
    { ...common, ...first, resource: `resource-${index}` },
    { ...common, ...second, resource: `resource-${index}` },
    { ...common, ...third, resource: `resource-${index}` },
  ]);
}

describe('the changes of findings by scans', () => {
  let held: HeldService;
  let changes: ChangesOfUploads;
  before(async () => {
    held = await joinHeldService();
    changes = new ChangesOfUploads(held);
  });
  after(() => held.leave());

  for (const order of isWholeRun ? ORDERS : ORDERS.slice(0, 1))
    it(`are the same if three uploads are processed in the order ${order.map((at) => at + 1).join(', ')}`, async () => {
      const account = `order-${order.join('')}`;
      const histories = allHistories();
      const uploads = ([0, 1, 2] as const).map(
        (at): Upload => ({ coverage: 'partial', records: histories.map((history) => history[at]) }),
      );
      const ids = await changes.ingest(account, uploads, order);
      await changes.assertChanges(account, ids, expectedSteps(uploads));
    });

  for (const seed of isWholeRun ? [1, 2, 3, 4] : [1])
    it(`are those of the oracle, with uploads in the order of time of seed ${seed}`, async () => {
      const uploads = randomUploads(randomNumbers(seed), UPLOADS);
      const account = `seed-${seed}`;
      const ids = await changes.ingest(account, uploads, [...uploads.keys()]);
      const steps = expectedSteps(uploads);
      await changes.assertChanges(account, ids, steps);
      await changes.assertHistories(account, ids, steps);
      await assertTrueCounts(held.service);
    });
});
