import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { createClient, type Resource } from '../../support/client.ts';
import { holdPending } from '../../support/held-jobs.ts';
import { record } from '../../support/records.ts';
import { type Service, startService } from '../../support/service.ts';
import { until } from '../../support/until.ts';

const FRAME_RECORDS = 5000;
const TIME = 1_780_000_000;

let service: Service;
let key: string;
before(async () => {
  const first = await startService();
  key = first.key;
  await first.sql('call use_previous_layout()');
  await first.end();
  service = await startService({ SLUICE_WORKERS: '1' }, first.dataDir);
});
after(async () => await service.remove());

it('a scan counts each finding once if its first frame was processed before the migration', async () => {
  const client = createClient(service.url, key);
  const findingOf = (at: number, time: number) => record({ time, finding_info: { uid: `finding-${at}` } });
  const release = await holdPending(service);
  const { body } = await client.upload([
    ...Array.from({ length: FRAME_RECORDS }, (_, at) => findingOf(at, TIME)),
    ...Array.from({ length: 10 }, (_, at) => findingOf(at, TIME + 1)),
  ]);
  await service.ownerSql('update frame_queue set available_at = clock_timestamp() where number = 0');
  await until(async () => {
    const [row] = await service.sql<{ count: number }>('select count(*)::int from findings');
    return row?.count === FRAME_RECORDS;
  });
  // As the previous release left them.
  const session = await service.connect();
  await session.query(`set session_replication_role = replica;
    update findings set check_key = null, facet_key = null, resource_key = null, scan_id = null`);
  await session.end();
  await release();
  await client.ended(body.data.id);
  const scans = await client.get<Resource[]>('/scans');
  assert.deepEqual(
    scans.body.data.map(({ attributes }) => attributes.new),
    [FRAME_RECORDS],
  );
});
