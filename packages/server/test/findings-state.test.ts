import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { createClient } from './support/client.ts';
import { record } from './support/records.ts';
import { createSecondTenant } from './support/second-tenant.ts';
import { type Service, startService } from './support/service.ts';
import { assertTrueCounts } from './support/true-counts.ts';

type Status = 'PASS' | 'FAIL';
interface Observation {
  readonly time: number;
  readonly status: Status;
}
/** What one finding looked like in each of three uploads. */
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

/** Every way in which three uploads can show a finding on three days with two results. */
const histories: History[] = observations().flatMap((first) =>
  observations().flatMap((second) => observations().map((third): History => [first, second, third])),
);

function observations(): Observation[] {
  return DAYS.flatMap((day) =>
    (['PASS', 'FAIL'] as const).map((status) => ({ time: EPOCH + day * 86_400, status })),
  );
}

function uidOf(history: History): string {
  return history.map(({ time, status }) => `${(time - EPOCH) / 86_400}${status}`).join('-');
}

/** What must be known of a finding, said without regard to the order of processing. */
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

function upload(at: 0 | 1 | 2): unknown[] {
  return histories.map((history) => {
    const { time, status } = history[at];
    return record({ time, status_code: status, finding_info: { uid: uidOf(history) } });
  });
}

describe('the state of a finding', () => {
  let service: Service;
  let tenant = { id: '', client: createClient('', '') };
  before(async () => {
    service = await startService({ SLUICE_WORKERS: '2' });
    // Frames of these tests wait until the test lets them go, in the order that it wants.
    await service.sql(`create function hold() returns trigger language plpgsql as $$
      begin new.available_at := 'infinity'; return new; end $$`);
    await service.sql(
      'create trigger hold before insert on frame_queue for each row execute function hold()',
    );
  });
  after(() => service.remove());

  async function accept(file: readonly unknown[]): Promise<string> {
    const { status, body } = await tenant.client.upload(file);
    assert.equal(status, 202);
    return body.data.id;
  }

  async function release(ingestion: string, frame: number): Promise<void> {
    await service.sql('update frame_queue set available_at = now() where ingestion_id = $1 and number = $2', [
      ingestion,
      frame,
    ]);
    await service.sql('notify sluice_frames');
    for (;;) {
      const left = await service.sql('select from frame_queue where ingestion_id = $1 and number = $2', [
        ingestion,
        frame,
      ]);
      if (left.length === 0) return;
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  }

  async function states(): Promise<State[]> {
    const utc = (column: string) => `to_char(${column}, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as ${column}`;
    return await service.sql<State>(
      `select uid, status::text, delta::text, ${utc('first_seen_at')}, ${utc('last_seen_at')}, ${utc('status_changed_at')}
       from findings where tenant_id = $1 order by uid collate "C"`,
      [tenant.id],
    );
  }

  const expected = histories.map(expectedState).sort((a, b) => (a.uid < b.uid ? -1 : 1));

  for (const known of [[0], [1], [299], [18, 20], Array.from({ length: 299 }, (_, place) => place + 1)]) {
    it(`is merged wherever known findings stand among new ones: ${known.length} from place ${known[0]} on`, async () => {
      tenant = await createSecondTenant(service);
      const finding = (time: number, status: Status) => (place: number) =>
        record({ time, status_code: status, finding_info: { uid: String(1000 + place) } });
      const places = Array.from({ length: 300 }, (_, place) => place);
      await release(await accept(known.map(finding(EPOCH, 'FAIL'))), 0);
      await release(await accept(places.map(finding(EPOCH + 86_400, 'PASS'))), 0);
      assert.deepEqual(
        (await states()).map(({ delta, first_seen_at, last_seen_at }) => [
          delta,
          first_seen_at,
          last_seen_at,
        ]),
        places.map((place) => [
          known.includes(place) ? 'changed' : 'new',
          iso(known.includes(place) ? EPOCH : EPOCH + 86_400),
          iso(EPOCH + 86_400),
        ]),
      );
      await assertTrueCounts(service);
    });
  }

  for (const order of ORDERS) {
    it(`does not depend on the order in which uploads are processed: ${order.map((at) => at + 1).join(', ')}`, async () => {
      tenant = await createSecondTenant(service);
      const ids = [await accept(upload(0)), await accept(upload(1)), await accept(upload(2))];
      for (const at of order) await release(ids[at] ?? '', 0);
      assert.deepEqual(await states(), expected);
    });
  }

  it('is that of the newer time, then of the later place, of records in different frames of one file', async () => {
    const filler = Array.from({ length: 5000 }, (_, at) => record({ finding_info: { uid: `filler-${at}` } }));
    const two = (uid: string, first: Observation, second: Observation) =>
      [first, second].map(({ time, status }) => record({ time, status_code: status, finding_info: { uid } }));
    const cases = [
      two('a later place', { time: EPOCH, status: 'FAIL' }, { time: EPOCH, status: 'PASS' }),
      two('a newer time', { time: EPOCH + 5, status: 'FAIL' }, { time: EPOCH, status: 'PASS' }),
    ];
    const file = [...cases.map(([first]) => first), ...filler, ...cases.map(([, second]) => second)];
    for (const order of [
      [0, 1],
      [1, 0],
    ]) {
      tenant = await createSecondTenant(service);
      const id = await accept(file);
      for (const frame of order) await release(id, frame);
      const found = (await states()).filter(({ uid }) => uid.startsWith('a '));
      assert.deepEqual(
        found.map(({ uid, status, delta, first_seen_at }) => [uid, status, delta, first_seen_at]),
        [
          ['a later place', 'PASS', 'new', iso(EPOCH)],
          ['a newer time', 'FAIL', 'new', iso(EPOCH)],
        ],
      );
      const job = await tenant.client.ended(id);
      assert.deepEqual(job.attributes.summary, { total: 5004, processed: 5004, invalid: 0 });
    }
  });

  it('leave true counts of the findings', () => assertTrueCounts(service));
});
