import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type pg from 'pg';
import type { Client, IngestionError } from '../../support/client.ts';
import { type HeldService, joinHeldService, processFrame } from '../../support/held-jobs.ts';
import { isWholeRun } from '../../support/is-whole-run.ts';
import type { SharedService } from '../../support/lanes.ts';
import { record } from '../../support/records.ts';
import { STORED_FINDINGS } from '../../support/stored-findings.ts';
import { assertTrueCounts } from '../../support/true-counts.ts';

type Status = 'PASS' | 'FAIL';
interface Observation {
  readonly time: number;
  readonly status: Status;
}
/** The state of a finding in each of three uploads. */
type History = readonly [Observation, Observation, Observation];

interface State extends Record<string, unknown> {
  readonly uid: string;
  readonly status: string;
  readonly delta: string;
  readonly first_seen_at: string;
  readonly last_seen_at: string;
  readonly status_changed_at: string;
}

const EPOCH = 1_780_000_000;
const DAYS = [1, 2, 3];
const ORDERS = [
  [0, 1, 2],
  [0, 2, 1],
  [1, 0, 2],
  [1, 2, 0],
  [2, 0, 1],
  [2, 1, 0],
] as const;
const SOME_ORDERS = ORDERS.slice(3, 4);

/** All combinations of three uploads that report a finding on three days with two results. */
const histories: History[] = observations().flatMap((first) =>
  observations().flatMap((second) => observations().map((third): History => [first, second, third])),
);

function observations(): Observation[] {
  return DAYS.flatMap((day) =>
    (['PASS', 'FAIL'] as const).map((status) => ({ time: EPOCH + day * 86_400, status })),
  );
}

/** The possible results of a record, in ascending order of severity. */
const RESULTS = ['PASS muted', 'PASS', 'MANUAL muted', 'MANUAL', 'FAIL muted', 'FAIL'] as const;
type Result = (typeof RESULTS)[number];
/** All combinations of three simultaneous records of a finding in one upload. */
const duplicates = RESULTS.flatMap((first) =>
  RESULTS.flatMap((second) => RESULTS.map((third): readonly Result[] => [first, second, third])),
);

function duplicate(results: readonly Result[], frame: number): Record<string, unknown> {
  const [status_code, muted] = (results[frame] ?? assert.fail()).split(' ');
  return record({
    time: EPOCH,
    status_code,
    status_id: muted === 'muted' ? 3 : 1,
    finding_info: { uid: results.join() },
  });
}

function uidOf(history: History): string {
  return history.map(({ time, status }) => `${(time - EPOCH) / 86_400}${status}`).join('-');
}

/** Returns the expected state of a finding, independent of the processing order. */
function expectedState(history: History): State {
  const uploads = history.map((observation, upload) => ({ ...observation, upload }));
  const newest = (of: typeof uploads) => [...of].sort((a, b) => b.time - a.time || b.upload - a.upload)[0];
  const current = newest(uploads) ?? assert.fail();
  const before_ = newest(uploads.filter(({ upload }) => upload < current.upload));
  const times = uploads.map(({ time }) => time);
  const lastOther = Math.max(
    ...uploads.filter(({ status }) => status !== current.status).map(({ time }) => time),
    0,
  );
  const same = uploads
    .filter(({ status, time }) => status === current.status && time > lastOther)
    .map(({ time }) => time);
  return {
    uid: uidOf(history),
    status: current.status,
    delta: before_ === undefined ? 'new' : before_.status === current.status ? 'unchanged' : 'changed',
    first_seen_at: iso(Math.min(...times)),
    last_seen_at: iso(current.time),
    status_changed_at: iso(Math.min(current.time, ...same)),
  };
}

function iso(seconds: number): string {
  return new Date(seconds * 1000).toISOString();
}

function upload(at: 0 | 1 | 2): Record<string, unknown>[] {
  return histories.map((history) => observed(uidOf(history), history[at]));
}

function observed(uid: string, { time, status }: Observation): Record<string, unknown> {
  return record({ time, status_code: status, finding_info: { uid } });
}

describe('the state of a finding', () => {
  let held: HeldService;
  let service: SharedService;
  let client: Client;
  let session: pg.Client;
  before(async () => {
    held = await joinHeldService();
    ({ service, client, session } = held);
  });
  after(() => held.leave());

  /** Uploads records with a separate account, so that the findings are independent of other tests. */
  async function accept(account: string, file: readonly Record<string, unknown>[]): Promise<string> {
    const { status, body } = await client.upload(
      file.map((one) => ({ ...one, cloud: { provider: 'aws', account: { uid: account } } })),
    );
    assert.equal(status, 202);
    return body.data.id;
  }

  async function states(account: string): Promise<State[]> {
    const utc = (column: string) => `to_char(f.${column}, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as ${column}`;
    const { rows } = await session.query<State>(
      `select f.uid, f.status::text, f.delta::text, ${utc('first_seen_at')}, ${utc('last_seen_at')}, ${utc('status_changed_at')}
       from ${STORED_FINDINGS} f join providers p on p.tenant_id = f.tenant_id and p.id = f.provider_id
       where f.tenant_id = $1 and p.account = $2 order by f.uid collate "C"`,
      [service.tenantId, account],
    );
    return rows;
  }

  const expected = histories.map(expectedState).sort((a, b) => (a.uid < b.uid ? -1 : 1));

  const existingFindings = [
    ['only the second finding', [1]],
    ['only the first finding', [0]],
    ['only the last finding', [299]],
    ['only the 19th and 21st findings', [18, 20]],
    ['all but the first finding', Array.from({ length: 299 }, (_, index) => index + 1)],
  ] as const;
  for (const [description, existing] of isWholeRun ? existingFindings : existingFindings.slice(0, 1)) {
    it(`merges an upload of 300 findings after an upload of ${description}`, async () => {
      const account = `known: ${description}`;
      const indexes = Array.from({ length: 300 }, (_, index) => index);
      const finding = (time: number, status: Status) => (index: number) =>
        observed(String(1000 + index), { time, status });
      await processFrame(session, await accept(account, existing.map(finding(EPOCH, 'FAIL'))), 0);
      await processFrame(session, await accept(account, indexes.map(finding(EPOCH + 86_400, 'PASS'))), 0);
      const isExisting = (index: number) => existing.some((one) => one === index);
      assert.deepEqual(
        (await states(account)).map(({ delta, first_seen_at, last_seen_at }) => [
          delta,
          first_seen_at,
          last_seen_at,
        ]),
        indexes.map((index) => [
          isExisting(index) ? 'changed' : 'new',
          iso(isExisting(index) ? EPOCH : EPOCH + 86_400),
          iso(EPOCH + 86_400),
        ]),
      );
      await assertTrueCounts(service);
    });
  }

  for (const order of isWholeRun ? ORDERS : SOME_ORDERS) {
    const name = order.map((at) => at + 1).join(', ');
    it(`computes the same finding states when uploads are processed in the order ${name}`, async () => {
      const account = `order: ${name}`;
      const ids = [
        await accept(account, upload(0)),
        await accept(account, upload(1)),
        await accept(account, upload(2)),
      ];
      for (const at of order) await processFrame(session, ids[at] ?? '', 0);
      assert.deepEqual(await states(account), expected);
    });
  }

  const frameOrders = [
    [1, 0],
    [0, 1],
  ];
  for (const order of isWholeRun ? frameOrders : frameOrders.slice(0, 1)) {
    it(`keeps the newer record, or the more severe of simultaneous records, from two frames processed in the order ${order}`, async () => {
      const account = `frames: ${order}`;
      // A frame ends with the first record that reaches 12 MiB.
      const filler = Array.from({ length: 4 }, (_, at) =>
        record({ finding_info: { uid: `filler-${at}` }, message: 'x'.repeat(3.2 * 2 ** 20) }),
      );
      const cases = [
        ['a more severe result', { time: EPOCH, status: 'FAIL' }, { time: EPOCH, status: 'PASS' }],
        ['a newer time', { time: EPOCH + 5, status: 'FAIL' }, { time: EPOCH, status: 'PASS' }],
      ] as const;
      const id = await accept(account, [
        ...cases.map(([uid, first]) => observed(uid, first)),
        ...filler,
        ...cases.map(([uid, , second]) => observed(uid, second)),
      ]);
      for (const frame of order) await processFrame(session, id, frame);
      const results = (await states(account)).filter(({ uid }) => uid.startsWith('a '));
      assert.deepEqual(
        results.map(({ uid, status, delta, first_seen_at }) => [uid, status, delta, first_seen_at]),
        [
          ['a more severe result', 'FAIL', 'new', iso(EPOCH)],
          ['a newer time', 'FAIL', 'new', iso(EPOCH)],
        ],
      );
      const job = await client.ended(id);
      assert.deepEqual(job.attributes.summary, { total: 8, processed: 8, invalid: 0 });
    });
  }

  for (const order of isWholeRun ? ORDERS : SOME_ORDERS) {
    const name = order.map((at) => at + 1).join(', ');
    it(`keeps the most severe of three simultaneous records, or the last of equally severe records, from frames processed in the order ${name}`, async () => {
      const account = `duplicates: ${name}`;
      // Rejected records fill each frame up to its 5,000 records.
      const filler = Array.from({ length: 5000 - duplicates.length }, () => ({}));
      const id = await accept(
        account,
        ORDERS[0].flatMap((frame) => [
          ...duplicates.map((results) => duplicate(results, frame)),
          ...(frame < 2 ? filler : []),
        ]),
      );
      for (const frame of order) await processFrame(session, id, frame);
      const { meta } = await client.ended(id);
      const expected = duplicates.map((results, at) => {
        const winner =
          results.toSorted((a, b) => RESULTS.indexOf(b) - RESULTS.indexOf(a))[0] ?? assert.fail();
        const frame = results.lastIndexOf(winner);
        const [status, muted] = winner.split(' ');
        return { uid: results.join(), status, muted: muted === 'muted', record_index: frame * 5000 + at };
      });
      const { rows } = await session.query(
        `select f.uid, f.status::text, f.muted, f.record_index::int from ${STORED_FINDINGS} f join providers p on p.tenant_id = f.tenant_id and p.id = f.provider_id
         where f.tenant_id = $1 and p.account = $2`,
        [service.tenantId, account],
      );
      const byUid = (a: { uid: string }, b: { uid: string }) => (a.uid < b.uid ? -1 : 1);
      assert.deepEqual(rows.sort(byUid), expected.sort(byUid));
      const { body } = await client.get<IngestionError[]>(`/ingestions/${id}/warnings?page[size]=1000`);
      assert.deepEqual(body.meta.counts, { duplicate_finding: 2 * duplicates.length });
      assert.equal(meta.warnings, 2 * duplicates.length);
      const winners = new Map(expected.map(({ uid, record_index }) => [uid, record_index]));
      for (const { attributes } of body.data) {
        assert.notEqual(attributes.record_index, winners.get(attributes.finding_uid ?? ''));
      }
    });
  }

  it('keeps exact finding counts after merges in any order', () => assertTrueCounts(service));
});
