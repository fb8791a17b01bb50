import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { FindingChange } from '../../../src/ingest/changes/finding-state.ts';
import { CHANGES } from '../../../src/resources/finding-changes.ts';
import { MAX_KEYS } from '../../../src/resources/prepare-conditions.ts';
import { type Client, createClient, type Ingestion, type Resource } from '../../support/client.ts';
import { joinService, type SharedService } from '../../support/lanes.ts';
import { record } from '../../support/records.ts';

const EPOCH = 1_780_000_000;
const DAY = 86_400;
const UPLOADS = [0, 1, 2] as const;
type Upload = (typeof UPLOADS)[number];

/** The status of a finding in three uploads, by its change in the last one. Null if an upload does not contain it. */
const HISTORIES = {
  new: [null, null, 'FAIL'],
  reopened: ['FAIL', null, 'FAIL'],
  regressed: ['PASS', 'PASS', 'FAIL'],
  fixed: ['FAIL', 'FAIL', 'PASS'],
  unchanged: ['FAIL', 'FAIL', 'MANUAL'],
  resolved: ['FAIL', 'FAIL', null],
} as const satisfies Record<FindingChange, readonly unknown[]>;

/** Scans that each upload contains, and their numbers of findings with each history. */
const SCANS = [
  {
    account: 'one',
    scan: 'early',
    severity: 'high',
    counts: { new: 1, reopened: 2, regressed: 3, fixed: 4, unchanged: 5, resolved: 1 },
  },
  {
    account: 'one',
    scan: 'late',
    severity: 'low',
    counts: { new: 2, reopened: 1, regressed: 4, fixed: 3, unchanged: 1, resolved: 2 },
  },
  {
    account: 'two',
    scan: 'early',
    severity: 'low',
    counts: { new: 4, reopened: 3, regressed: 1, fixed: 2, unchanged: 3, resolved: 1 },
  },
] as const;
type Scan = (typeof SCANS)[number];
const SEVERITY_IDS = { low: 2, high: 4 } as const;

const findingsOf = ({ account, scan, counts }: Scan) =>
  CHANGES.flatMap((history) =>
    Array.from({ length: counts[history] }, (_, at) => ({
      history,
      uid: `${account} ${scan} ${history} ${at}`,
    })),
  );

const recordsOf = (upload: Upload) =>
  SCANS.flatMap((scan) =>
    findingsOf(scan).flatMap(({ history, uid }) => {
      const status = HISTORIES[history][upload];
      if (status === null) return [];
      return record({
        time: EPOCH + upload * DAY + (scan.scan === 'late' ? 60 : 0),
        status_code: status,
        severity_id: SEVERITY_IDS[scan.severity],
        metadata: { product: { name: 'Scanner' } },
        finding_info: { uid },
        cloud: { provider: 'aws', account: { uid: scan.account } },
        unmapped: { scan_id: scan.scan },
      });
    }),
  );

function changeIn(upload: Upload, history: FindingChange): FindingChange | null {
  if (upload === 2) return history;
  const [status, before] = [HISTORIES[history][upload], upload === 0 ? null : HISTORIES[history][0]];
  if (status === null) return before === null ? null : 'resolved';
  return before === null ? 'new' : 'unchanged';
}

/** The uids that the links of a scan list. The latest scan of an account counts the resolved findings of the account. */
function expectedUids(scan: Scan, upload: Upload): Readonly<Record<string, readonly string[]>> {
  const isLatest = scan.account === 'two' || scan.scan === 'late';
  const ofAccount = SCANS.filter(({ account }) => account === scan.account).flatMap(findingsOf);
  return Object.fromEntries(
    CHANGES.map((change) => {
      const among = change === 'resolved' ? ofAccount : findingsOf(scan);
      const uids = among.flatMap(({ history, uid }) => (changeIn(upload, history) === change ? [uid] : []));
      return [change, change === 'resolved' && !isLatest ? [] : uids.sort()];
    }),
  );
}

describe('the findings that scans and uploads changed', () => {
  let service: SharedService;
  let client: Client;
  const ids: string[] = [];
  before(async () => {
    service = await joinService();
    client = createClient(service.url, service.key);
    for (const upload of UPLOADS)
      ids.push((await client.ingest(recordsOf(upload), { parts: { coverage: 'account' } })).id);
  });
  after(() => service.leave());

  const listedUids = async (link = ''): Promise<readonly string[]> => {
    const prefix = `${service.url}/api/v1`;
    assert.ok(link.startsWith(prefix), link);
    const { status, body } = await client.get<Resource[]>(`${link.slice(prefix.length)}&page[size]=100`);
    assert.equal(status, 200);
    return body.data.map(({ attributes }) => String(attributes.uid)).sort();
  };

  for (const upload of UPLOADS)
    it(`are listed by the links of each of several scans in upload ${upload + 1}, and counted by the attributes`, async () => {
      const list = await client.get<Resource[]>(`/scans?filter[ingestion]=${ids[upload]}&include=provider`);
      const accounts = new Map(list.body.included?.map(({ id, attributes }) => [id, attributes.account]));
      assert.equal(list.body.data.length, SCANS.length);
      for (const scan of SCANS) {
        const listed = list.body.data.find(
          ({ attributes, relationships }) =>
            attributes.uid === scan.scan &&
            accounts.get(relationships.provider?.data.id ?? '') === scan.account,
        );
        assert.ok(listed);
        const { body } = await client.get<Resource>(`/scans/${listed.id}`);
        assert.deepEqual(body.data, listed);
        const expected = expectedUids(scan, upload);
        for (const change of CHANGES) {
          const label = `${change} in ${scan.account} ${scan.scan}`;
          assert.deepEqual(await listedUids(listed.links[change]), expected[change], label);
          assert.equal(listed.attributes[change], expected[change]?.length, label);
        }
      }
    });

  it('are counted by severity in the list of uploads as in a single upload', async () => {
    const { body } = await client.get<Ingestion[]>('/ingestions?sort=inserted_at');
    assert.deepEqual(
      body.data.map(({ id }) => id),
      ids,
    );
    for (const listed of body.data)
      assert.deepEqual(
        listed.meta.findings,
        (await client.get(`/ingestions/${listed.id}`)).body.data.meta.findings,
      );
    const severities = { informational: 0, medium: 0, critical: 0, fatal: 0, unknown: 0, other: 0 };
    assert.deepEqual(body.data[2]?.meta.findings, {
      new: { ...severities, high: 1, low: 6 },
      reopened: { ...severities, high: 2, low: 4 },
      regressed: { ...severities, high: 3, low: 5 },
      fixed: { ...severities, high: 4, low: 5 },
      unchanged: { ...severities, high: 5, low: 4 },
      resolved: { ...severities, high: 1, low: 3 },
      failed: { ...severities, high: 6, low: 15 },
      newly_failed: { ...severities, high: 6, low: 15 },
    });
  });
});

describe('the findings of a change that are too many to be passed as parameters', () => {
  const COUNT = MAX_KEYS + 100;
  let service: SharedService;
  let client: Client;
  const ids: string[] = [];

  const statusOf = (finding: number, upload: number) => {
    if (upload === 2) return 'PASS';
    return upload === 1 && finding < 50 ? 'PASS' : 'FAIL';
  };
  /** The first upload lacks the last 100 findings. */
  const fileOf = (upload: number) =>
    Array.from({ length: upload === 0 ? COUNT : COUNT + 100 }, (_, finding) =>
      record({
        time: EPOCH + upload,
        status_code: statusOf(finding, upload),
        finding_info: { uid: `finding ${finding}` },
      }),
    );
  before(async () => {
    service = await joinService();
    client = createClient(service.url, service.key);
    for (const upload of UPLOADS) ids.push((await client.ingest(fileOf(upload))).id);
  });
  after(() => service.leave());

  it('are listed and counted like fewer findings', async () => {
    const countOf = async (change: FindingChange, upload: Upload) =>
      (await client.get(`/findings?filter[${change}_in]=${ids[upload]}`)).body.meta.pagination.count;
    const counts = async (upload: Upload) => {
      const entries = CHANGES.map(async (change) => [change, await countOf(change, upload)] as const);
      return Object.fromEntries(await Promise.all(entries));
    };
    const none = { new: 0, reopened: 0, regressed: 0, fixed: 0, unchanged: 0, resolved: 0 };
    assert.deepEqual(await counts(0), { ...none, new: COUNT });
    assert.deepEqual(await counts(1), { ...none, new: 100, fixed: 50, unchanged: COUNT - 50 });
    assert.deepEqual(await counts(2), { ...none, fixed: COUNT + 50, unchanged: 50 });
    const { data } = (await client.get<Resource[]>('/scans?sort=inserted_at')).body;
    for (const [upload, { id }] of data.entries())
      assert.equal(
        (await client.get(`/findings?filter[fixed_in]=${id}&sort=-severity`)).body.meta.pagination.count,
        [0, 50, COUNT + 50][upload],
      );
  });
});
