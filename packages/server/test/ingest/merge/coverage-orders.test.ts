import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type pg from 'pg';
import { hasCitus } from '../../../src/db/read-distribution.ts';
import type { Client, Resource } from '../../support/client.ts';
import { type HeldService, joinHeldService, processJobs, releaseJobs } from '../../support/held-jobs.ts';
import { isWholeRun } from '../../support/is-whole-run.ts';
import type { SharedService } from '../../support/lanes.ts';
import { pickFrom, randomNumbers } from '../../support/random-numbers.ts';
import { record } from '../../support/records.ts';
import { assertTrueCounts } from '../../support/true-counts.ts';
import { until } from '../../support/until.ts';

const COVERAGES = ['partial', 'checks', 'account'] as const;
const CHECKS = ['check-1', 'check-2'];
const PRODUCTS = ['Scanner', 'Scanner', 'Scanner', 'Other', null];
const RESOURCES = ['one', 'two', 'three', 'four', 'five', 'six'];
const EPOCH = 1_780_000_000;
const UPLOADS = 8;
const RECORDS = 5;

interface Observation {
  readonly check: string;
  readonly resource: string;
  readonly product: string | null;
  /** Hours after the epoch. */
  readonly time: number;
  readonly status: 'PASS' | 'FAIL';
}

interface Upload {
  readonly coverage: (typeof COVERAGES)[number];
  readonly records: readonly Observation[];
  readonly isInvalid: boolean;
}

type States = Readonly<Record<string, string>>;

function randomUploads(random: (below: number) => number): readonly Upload[] {
  const pick = <Value>(values: readonly Value[]) => pickFrom(random, values);
  const uploads: Upload[] = [];
  while (uploads.length < UPLOADS) {
    const start = random(20);
    // Some files are uploaded again.
    const repeated = random(5) === 0 ? uploads[random(UPLOADS)] : undefined;
    uploads.push(
      repeated ?? {
        coverage: pick(COVERAGES),
        isInvalid: random(6) === 0,
        records: Array.from({ length: 1 + random(RECORDS) }, () => ({
          check: pick(CHECKS),
          resource: pick(RESOURCES),
          product: pick(PRODUCTS),
          time: start + random(4),
          status: pick(['PASS', 'FAIL'] as const),
        })),
      },
    );
  }
  return uploads;
}

function recordOf(account: string, one: Observation): Record<string, unknown> {
  return record({
    time: EPOCH + one.time * 3600,
    status_code: one.status,
    metadata: { event_code: one.check, ...(one.product !== null && { product: { name: one.product } }) },
    finding_info: { uid: uidOf(one) },
    resources: [{ uid: one.resource }],
    cloud: { provider: 'aws', account: { uid: account } },
  });
}

const uidOf = ({ check, resource }: Observation) => `${check} ${resource}`;

/** The state of each finding according to the issue's definition, and not to the service's way to compute it. */
function expectedStates(uploads: readonly Upload[]): States {
  const all = uploads.flatMap(({ records }, upload) =>
    records.map((one, index) => ({ ...one, upload, index })),
  );
  const rank = ({ status }: Observation) => (status === 'FAIL' ? 1 : 0);
  const newest = new Map<string, (typeof all)[number]>();
  for (const one of all.toSorted(
    (a, b) => a.time - b.time || a.upload - b.upload || rank(a) - rank(b) || a.index - b.index,
  ))
    newest.set(uidOf(one), one);
  return Object.fromEntries(
    Array.from(newest, ([uid, { check, product, time, status }]) => {
      const resolvedBy = uploads
        .map(({ coverage, records, isInvalid }, upload) => {
          const scope = records.filter(
            (one) => one.product === product && (coverage === 'account' || one.check === check),
          );
          const isComplete = coverage !== 'partial' && !isInvalid && product !== null && scope.length > 0;
          return { upload, time: isComplete ? Math.min(...scope.map((one) => one.time)) : -1 };
        })
        .filter((coverage) => coverage.time > time)
        .sort((a, b) => a.time - b.time || a.upload - b.upload)[0];
      const state = resolvedBy === undefined ? 'open' : `${resolvedBy.time} by ${resolvedBy.upload}`;
      return [uid, `${status} ${state}`];
    }),
  );
}

describe('findings that uploads in random order resolve', () => {
  let held: HeldService;
  let service: SharedService;
  let client: Client;
  let session: pg.Client;
  before(async () => {
    held = await joinHeldService();
    ({ service, client, session } = held);
  });
  after(() => held.leave());

  async function accept(account: string, { coverage, records, isInvalid }: Upload): Promise<string> {
    const file = records.map((one) => recordOf(account, one));
    return await send([...file, ...(isInvalid ? [{ class_uid: 2004 }] : [])], coverage);
  }

  async function send(file: readonly unknown[], coverage: Upload['coverage']): Promise<string> {
    const { status, body } = await client.upload(file, { parts: { coverage } });
    assert.equal(status, 202);
    return body.data.id;
  }

  const process = (ids: readonly string[]) => processJobs(session, service.tenantId, ids);

  async function states(account: string, ids: readonly string[]): Promise<States> {
    const { body } = await client.get<Resource[]>(
      `/findings?filter[account]=${account}&filter[state]=open,resolved&page[size]=100`,
    );
    return Object.fromEntries(
      body.data.map(({ attributes: { uid, status, resolved_at }, relationships }) => {
        const upload = ids.indexOf(relationships.resolved_by?.data?.id ?? '');
        const hours = (Date.parse(String(resolved_at)) / 1000 - EPOCH) / 3600;
        return [uid, `${status} ${resolved_at === null ? 'open' : `${hours} by ${upload}`}`];
      }),
    );
  }

  for (const seed of isWholeRun ? [1, 2, 3, 4, 5, 6] : [1, 3]) {
    const isParallel = seed % 3 === 0;
    it(`absent findings have the states of the oracle, with ${isParallel ? 'parallel' : 'consecutive'} uploads of seed ${seed}`, async () => {
      const random = randomNumbers(seed);
      const uploads = randomUploads(random);
      const expected = expectedStates(uploads);
      for (const order of [0, 1]) {
        const account = `seed-${seed}-${order}`;
        const ids: string[] = [];
        for (const upload of uploads) ids.push(await accept(account, upload));
        const shuffled = ids.map((id) => ({ id, place: random(1000) })).sort((a, b) => a.place - b.place);
        if (isParallel) await process(ids);
        else for (const { id } of shuffled) await process([id]);
        assert.deepEqual(await states(account, ids), expected);
      }
      await assertTrueCounts(service);
    });
  }

  it('absent findings are resolved if their frame is not committed yet when a newer upload with coverage ends', async (context) => {
    if (await hasCitus(session)) {
      context.skip('a coordinator does not show what its nodes wait for');
      return;
    }
    const account = 'uncommitted';
    const found = (resource: string, time: number, of = account) =>
      recordOf(of, { check: 'check-1', resource, product: 'Scanner', time, status: 'FAIL' });
    // The uploads below do not change the time of the account, so that they do not wait for each other.
    await process([await send([found('first', 0, 'blocked'), found('latest', 9)], 'partial')]);
    const older = await send([found('late', 1), found('first', 1, 'blocked')], 'partial');
    const newer = await send([found('other', 2)], 'account');
    // Blocks the older upload after its findings have been merged.
    const blocker = await service.connect();
    await blocker.query('begin');
    await blocker.query(`select from providers where tenant_id = $1 and account = 'blocked' for update`, [
      service.tenantId,
    ]);
    const isWaiting = async (event: string) => {
      const { rowCount } = await session.query(
        `select from pg_stat_activity
         where application_name = 'sluice worker' and wait_event = $1 and datname = current_database()`,
        [event],
      );
      return rowCount !== 0;
    };
    await releaseJobs(session, [older]);
    await until(() => isWaiting('transactionid'));
    const hasEnded = async () =>
      (await client.get(`/ingestions/${newer}`)).body.data.attributes.completed_at !== null;
    await until(async () => {
      await releaseJobs(session, [newer]);
      return (await isWaiting('advisory')) || (await hasEnded());
    });
    await blocker.query('rollback');
    await blocker.end();
    await Promise.all([client.ended(older), client.ended(newer)]);
    assert.deepEqual(await states(account, [older, newer]), {
      'check-1 late': 'FAIL 2 by 1',
      'check-1 latest': 'FAIL open',
      'check-1 other': 'FAIL open',
    });
  });

  it('absent findings are resolved in some of these histories, and open in others', () => {
    const all = Array.from({ length: 12 }, (_, index) =>
      expectedStates(randomUploads(randomNumbers(index + 1))),
    );
    const states = all.flatMap((one) => Object.values(one));
    const resolved = states.filter((state) => !state.endsWith('open'));
    assert.ok(
      resolved.length > 30 && states.length - resolved.length > 30,
      `${resolved.length} of ${states.length}`,
    );
  });
});
