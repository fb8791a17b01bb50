import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { FRAMES_CHANNEL } from '../../../src/db/notifications.ts';
import { type Client, createClient } from '../../support/client.ts';
import { holdPending } from '../../support/held-jobs.ts';
import { record } from '../../support/records.ts';
import { type Service, startService } from '../../support/service.ts';
import { assertTrueCounts } from '../../support/true-counts.ts';
import { until } from '../../support/until.ts';

const FRAME_RECORDS = 5000;
const TIME = 1_780_000_000;

interface Scan {
  readonly attributes: { readonly new: number; readonly regressed: number };
}

describe('scans that span several frames', () => {
  let service: Service;
  let client: Client;
  before(async () => {
    service = await startService({ SLUICE_WORKERS: '1' });
    client = createClient(service.url, service.key);
    await holdPending(service);
  });
  after(() => service.remove());

  const accept = async (records: readonly unknown[]) => (await client.upload(records)).body.data.id;
  const work = async (id: string, frame: number) => {
    await service.sql('update frame_queue set available_at = now() where ingestion_id = $1 and number = $2', [
      id,
      frame,
    ]);
    await service.sql(`notify ${FRAMES_CHANNEL}`);
    await until(async () => {
      const remaining = await service.sql('select from frame_queue where ingestion_id = $1 and number = $2', [
        id,
        frame,
      ]);
      return remaining.length === 0;
    });
  };
  const countsOf = async (id: string) => {
    const { body } = await client.get<Scan[]>(`/scans?filter[ingestion]=${id}`);
    return body.data.map(({ attributes }) => [attributes.new, attributes.regressed]);
  };
  const again = (time: number, status_code: string) =>
    record({ time, status_code, finding_info: { uid: 'again' } });

  it('counts a finding as regressed instead of new if an older upload is processed between two frames of a scan', async () => {
    const earlier = await accept([again(TIME - 60, 'PASS')]);
    const others = Array.from({ length: FRAME_RECORDS - 1 }, (_, at) =>
      record({ time: TIME, finding_info: { uid: `other-${at}` } }),
    );
    const scan = await accept([again(TIME, 'FAIL'), ...others, again(TIME + 60, 'FAIL')]);
    await work(scan, 0);
    assert.deepEqual(await countsOf(scan), [[FRAME_RECORDS, 0]]);
    // The finding already existed before the scan.
    await work(earlier, 0);
    assert.deepEqual(await countsOf(scan), [[FRAME_RECORDS - 1, 1]]);
    await work(scan, 1);
    assert.deepEqual(await countsOf(scan), [[FRAME_RECORDS - 1, 1]]);
    await assertTrueCounts(service);
  });
});
