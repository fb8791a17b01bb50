import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { hasCitus } from '../../../src/db/read-distribution.ts';
import { type HeldService, joinHeldService, releaseJobs } from '../../support/held-jobs.ts';
import { isWholeRun } from '../../support/is-whole-run.ts';
import { randomNumbers } from '../../support/random-numbers.ts';
import { assertTrueCounts } from '../../support/true-counts.ts';
import { until } from '../../support/until.ts';
import { ChangesOfUploads } from './changes-of-uploads.ts';
import { expectedSteps, type Observation, RESOURCES, type Upload, uidOf } from './changes-oracle.ts';
import { INTERVAL, ORDERS, randomUploads } from './random-uploads.ts';

const UPLOADS = 6;

const seeds = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

/** Of a file with several records of a finding, the time of the first one is not always known. */
function withoutRepetitions(uploads: readonly Upload[]): readonly Upload[] {
  return uploads.map(({ coverage, records }) => ({
    coverage,
    records: [...new Map(records.map((one) => [uidOf(one), one])).values()],
  }));
}

/** The indexes of uploads in random order. */
function shuffled(uploads: readonly Upload[], random: (below: number) => number): readonly number[] {
  const places = [...uploads.keys()].map((at) => ({ at, place: random(1000) }));
  return places.sort((a, b) => a.place - b.place).map(({ at }) => at);
}

/**
 * Three uploads of consecutive days. Each reports a finding as PASS, as FAIL or not at all, and is complete or not: all
 * combinations, by the coverages of the uploads.
 */
function allCoveredHistories(): readonly (readonly Upload[])[] {
  const choices = [0, 1, 2];
  const combinations = choices.flatMap((first) =>
    choices.flatMap((second) => choices.map((third) => [first, second, third] as const)),
  );
  const common = { check: 'check-1', muted: false, severity: 'high' } as const;
  const anchor = { ...common, resource: 'anchor', status: 'PASS' } as const;
  return Array.from({ length: 8 }, (_, coverages) =>
    [0, 1, 2].map((at) => {
      const time = at + 1;
      const reported = combinations.flatMap((results, index) => {
        const status = (['PASS', 'FAIL'] as const)[results[at] ?? 0];
        return status === undefined ? [] : [{ ...common, resource: `resource-${index}`, status, time }];
      });
      return {
        coverage: (coverages >> at) % 2 === 0 ? ('partial' as const) : ('account' as const),
        records: [{ ...anchor, time }, ...reported],
      };
    }),
  );
}

describe('the changes of findings by scans with coverage', () => {
  let held: HeldService;
  let changes: ChangesOfUploads;
  before(async () => {
    held = await joinHeldService();
    changes = new ChangesOfUploads(held);
  });
  after(() => held.leave());

  for (const order of isWholeRun ? ORDERS : ORDERS.slice(4))
    it(`are the same if three uploads with coverage are processed in the order ${order.map((at) => at + 1).join(', ')}`, async () => {
      const covered = allCoveredHistories().map((uploads, number) => ({
        account: `covered-${order.join('')}-${number}`,
        uploads,
        ids: [] as string[],
      }));
      for (const { account, uploads, ids } of covered)
        for (const upload of uploads) ids.push(await changes.accept(account, upload));
      for (const at of order) await changes.process(covered.map(({ ids }) => ids[at] ?? ''));
      for (const { account, uploads, ids } of covered)
        await changes.assertChanges(account, ids, expectedSteps(uploads));
      await assertTrueCounts(held.service);
    });

  for (const coverage of ['checks', 'account'] as const)
    it(`are corrected by a late upload with the coverage ${coverage} that precedes several records without a change`, async () => {
      const found = { check: 'check-1', muted: false, severity: 'high', status: 'FAIL' } as const;
      const both = (time: number): Upload => ({
        coverage: 'partial',
        records: ['one', 'two'].map((resource) => ({ ...found, resource, time })),
      });
      const covering: Upload = { coverage, records: [{ ...found, resource: 'two', time: 3 }] };
      const uploads = [both(1), covering, both(4), both(5), both(6)];
      const ids = await changes.ingest(`late-${coverage}`, uploads, [0, 2, 3, 4, 1]);
      const steps = expectedSteps(uploads);
      await changes.assertChanges(`late-${coverage}`, ids, steps);
      await changes.assertHistories(`late-${coverage}`, ids, steps);
      assert.deepEqual(
        steps.filter(({ change }) => change === 'reopened').map(({ uid, upload }) => `${uid} ${upload}`),
        ['check-1 one 2'],
      );
    });

  it('are counted with their own states if a late record and a late coverage precede records without a change', async () => {
    const account = 'late-record-and-coverage';
    const found = { check: 'check-1', muted: false, severity: 'high', resource: 'one' } as const;
    const upload = (time: number, status: 'PASS' | 'FAIL'): Upload => ({
      coverage: 'partial',
      records: [{ ...found, status, time }],
    });
    const covering: Upload = {
      coverage: 'account',
      records: [{ ...found, resource: 'two', status: 'PASS', time: 30 }],
    };
    const uploads = [
      upload(10, 'FAIL'),
      upload(40, 'FAIL'),
      upload(50, 'FAIL'),
      upload(20, 'PASS'),
      covering,
    ];
    const ids = await changes.ingest(account, uploads, [0, 1, 2, 3, 4]);
    await changes.assertConsistent(account, ids, uploads);
  });

  it('are counted once if a record is merged after a coverage was published, and before it has resolved its findings', async (context) => {
    const { service, session } = held;
    if (await hasCitus(session)) {
      context.skip('a coordinator does not show what its nodes wait for');
      return;
    }
    const account = 'published';
    const found = { check: 'check-1', muted: false, severity: 'high', status: 'FAIL' } as const;
    const upload = (time: number, coverage: Upload['coverage'], resources: readonly string[]): Upload => ({
      coverage,
      records: resources.map((resource) => ({ ...found, resource, time })),
    });
    const first = upload(0, 'partial', RESOURCES);
    const [firstId] = await changes.ingest(account, [first], [0]);
    const { rows } = await session.query<{ id: string; uid: string }>(
      `select f.id, r.uid from findings f join resources r on r.tenant_id = f.tenant_id and r.key = f.resource_key
       where f.tenant_id = $1 and f.ingestion_id = $2 order by f.id`,
      [service.tenantId, firstId],
    );
    const [blocked, merged] = [rows.at(0), rows.at(-1)];
    const uploads = [
      first,
      upload(30, 'partial', [merged?.uid ?? '']),
      upload(57, 'account', ['anchor']),
      upload(65, 'account', ['anchor']),
    ];
    const ids = [firstId ?? ''];
    for (const one of uploads.slice(1)) ids.push(await changes.accept(account, one));
    const [, record = '', earlier = '', later = ''] = ids;
    await changes.process([later]);
    const blocker = await service.connect();
    await blocker.query('begin');
    await blocker.query('select from findings where tenant_id = $1 and id = $2 for update', [
      service.tenantId,
      blocked?.id,
    ]);
    const { rows: own } = await blocker.query('select pg_backend_pid() as pid');
    await until(async () => {
      await releaseJobs(session, [earlier]);
      const { rowCount } = await session.query(
        'select from pg_stat_activity where $1 = any(pg_blocking_pids(pid)) and datname = current_database()',
        [own[0]?.pid],
      );
      return rowCount !== 0;
    });
    await changes.process([record]);
    await blocker.query('rollback');
    await blocker.end();
    await changes.process([earlier]);
    const steps = expectedSteps(uploads);
    await changes.assertChanges(account, ids, steps);
    await changes.assertHistories(account, ids, steps);
  });

  it('are those of a late record that precedes records without a change, a resolution and its end', async () => {
    const found = { check: 'check-1', muted: false, resource: 'one' } as const;
    const upload = (
      time: number,
      status: 'PASS' | 'FAIL',
      severity: Observation['severity'] = 'high',
    ): Upload => ({
      coverage: 'partial',
      records: [{ ...found, time, status, severity }],
    });
    const covering: Upload = {
      coverage: 'account',
      records: [{ ...found, resource: 'two', severity: 'high', status: 'FAIL', time: 50 }],
    };
    const uploads = [
      upload(10, 'FAIL'),
      upload(20, 'PASS', 'low'),
      upload(30, 'FAIL'),
      upload(40, 'PASS', 'medium'),
      covering,
      upload(60, 'FAIL'),
      upload(70, 'FAIL'),
    ];
    for (const [at, order] of [
      [0, 2, 4, 5, 6, 1, 3],
      [6, 5, 4, 2, 0, 3, 1],
      [0, 2, 6, 5, 3, 1, 4],
    ].entries()) {
      const ids = await changes.ingest(`late-record-${at}`, uploads, order);
      const steps = expectedSteps(uploads);
      await changes.assertChanges(`late-record-${at}`, ids, steps);
      await changes.assertHistories(`late-record-${at}`, ids, steps);
    }
  });

  for (const seed of seeds(isWholeRun ? 16 : 4))
    it(`are those of the oracle, with uploads in the random order of seed ${seed}`, async () => {
      const random = randomNumbers(seed);
      const uploads = withoutRepetitions(randomUploads(random, UPLOADS));
      const account = `shuffled-${seed}`;
      const ids = await changes.ingest(account, uploads, shuffled(uploads, random));
      const steps = expectedSteps(uploads);
      await changes.assertChanges(account, ids, steps);
      // A record that changed nothing when it was processed is known by the start of its scan.
      await changes.assertHistories(account, ids, steps, { unit: INTERVAL });
      await assertTrueCounts(held.service);
    });

  for (const seed of seeds(isWholeRun ? 16 : 4))
    it(`are those of the oracle, with parallel uploads of seed ${seed}`, async () => {
      const uploads = withoutRepetitions(randomUploads(randomNumbers(seed), UPLOADS));
      const account = `parallel-${seed}`;
      const ids = await changes.ingest(account, uploads, 'parallel');
      const steps = expectedSteps(uploads);
      await changes.assertChanges(account, ids, steps);
      await changes.assertHistories(account, ids, steps, { unit: INTERVAL });
      await assertTrueCounts(held.service);
    });

  for (const seed of seeds(isWholeRun ? 10 : 2)) {
    const isParallel = seed % 2 === 0;
    it(`are counted once per finding, with ${isParallel ? 'parallel' : 'shuffled'} uploads of seed ${seed} whose times overlap`, async () => {
      const random = randomNumbers(seed);
      const uploads = randomUploads(random, 8, 1);
      const account = `overlapping-${seed}`;
      const ids = await changes.ingest(account, uploads, isParallel ? 'parallel' : shuffled(uploads, random));
      await changes.assertConsistent(account, ids, uploads);
    });
  }
});
