import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import { type Client, createClient } from '../../support/client.ts';
import { isWholeRun } from '../../support/is-whole-run.ts';
import { joinService, type SharedService } from '../../support/lanes.ts';
import { record } from '../../support/records.ts';
import { createSecondTenant, type SecondTenant } from '../../support/second-tenant.ts';
import { assertTrueCounts } from '../../support/true-counts.ts';

/** With this many values, quadratic work takes minutes. */
const VALUES = isWholeRun ? 50_000 : 4000;
/** With fewer remaining frames, all of them may be in progress when the other tenant uploads a file. */
const MIN_REMAINING_FRAMES = 4;
const FRAME_RECORDS = 5000;
const TIMEOUT_MS = isWholeRun ? 150_000 : 40_000;

const resource = (members: object) => ({ resources: [{ uid: 'arn:aws:s3:::one', ...members }] });
/** Uploads in which every record has a distinct value. */
const DISTINCT: readonly [field: string, values: number, members: (at: number) => Record<string, unknown>][] =
  [
    ['scan id', VALUES, (at) => ({ unmapped: { scan_id: `scan-${at}` } })],
    ['account', VALUES, (at) => ({ cloud: { account: { uid: `account-${at}` } } })],
    ['check', VALUES, (at) => ({ metadata: { event_code: `check_${at}` } })],
    ['region', VALUES, (at) => resource({ region: `region-${at}`, group: { name: 's3' } })],
    ['service', VALUES, (at) => resource({ group: { name: `service-${at}` } })],
  ];
const LISTS = [
  'findings',
  'findings/summary',
  'findings/trend',
  'scans',
  'providers',
  'checks',
  'ingestions',
];

describe('uploads with a distinct value in every record', () => {
  let service: SharedService;
  let client: Client;
  let otherTenant: SecondTenant;
  before(async () => {
    service = await joinService();
    client = createClient(service.url, service.key);
    otherTenant = await createSecondTenant(service);
  });
  after(() => service.leave());

  for (const [field, total, members] of isWholeRun ? DISTINCT : DISTINCT.slice(0, 3)) {
    it(`ingests an upload with a distinct ${field} in every record without delaying another tenant`, {
      timeout: TIMEOUT_MS,
    }, async () => {
      const records = Array.from({ length: total }, (_, at) =>
        record({ finding_info: { uid: `${field}-${at}` }, ...members(at) }),
      );
      const { status, body } = await client.upload(new Uint8Array(gzipSync(JSON.stringify(records))));
      assert.equal(status, 202);
      const { body: small } = await otherTenant.client.upload(JSON.stringify([record()]));
      const { processed } = (await client.get(`/ingestions/${body.data.id}`)).body.data.attributes.summary;
      const smallEnded = await otherTenant.client.ended(small.data.id);
      const large = await client.ended(body.data.id);
      assert.deepEqual(
        [large.attributes.status, large.attributes.summary],
        ['completed', { total, processed: total, invalid: 0 }],
      );
      if ((total - processed) / FRAME_RECORDS >= MIN_REMAINING_FRAMES) {
        const completed = (job: typeof large) => Date.parse(String(job.attributes.completed_at));
        assert.ok(
          completed(smallEnded) < completed(large),
          'the small upload waited for the whole large upload',
        );
      }
      for (const list of LISTS) assert.equal((await client.get(`/${list}`)).status, 200, list);
    });
  }

  it('keeps exact finding counts after uploads of distinct values', () => assertTrueCounts(service));
});
