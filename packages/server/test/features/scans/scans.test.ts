import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type Client, createClient, type FileContent } from '../../support/client.ts';
import { isWholeRun } from '../../support/is-whole-run.ts';
import { SEVERITY_NAMES } from '../../support/listed-findings.ts';
import { record, without } from '../../support/records.ts';
import { createSecondTenant } from '../../support/second-tenant.ts';
import { type Service, startService } from '../../support/service.ts';
import { assertTrueCounts } from '../../support/true-counts.ts';

const STATUSES = ['PASS', 'FAIL', 'MANUAL', 'FAIL', 'PASS'] as const;
/** The same account number identifies different accounts for different provider types. */
const ACCOUNTS = ['aws/111111111111', 'gcp/111111111111', 'aws/222222222222'];
const SCANS = ['scan-1', 'scan-2', null];
const CHANGES = ['new', 'reopened', 'regressed', 'fixed', 'unchanged', 'resolved'] as const;
const EPOCH = 1_780_000_000;
const DAY = 86_400;

/** The record values that these tests use. */
interface Made {
  readonly account: string;
  readonly scan: string | null;
  readonly uid: string;
  readonly time: number;
  readonly status: 'PASS' | 'FAIL' | 'MANUAL';
  readonly severity: number;
  readonly muted: boolean;
}

interface Attributes extends Readonly<Record<(typeof CHANGES)[number], number>> {
  readonly uid: string | null;
  readonly started_at: string;
  readonly ended_at: string;
  readonly inserted_at: string;
  readonly records: number;
  readonly failed: number;
  readonly muted: number;
  readonly by_status: Record<string, number>;
  readonly by_severity: Record<string, number>;
  readonly failed_by_severity: Record<string, number>;
}

interface Scan {
  readonly id: string;
  readonly attributes: Attributes;
  readonly relationships: Record<'provider' | 'ingestion', { readonly data: { readonly id: string } }>;
}

/** A frame ends with the record that reaches 12 MiB. With this padding, that is record 481. */
const PADDING = ' '.repeat(25 * 1024);

/**
 * Returns three frames of records. Findings repeat within and across frames, with different statuses, scans and times.
 */
function fileOf(upload: 0 | 1): Made[] {
  return Array.from({ length: 1050 }, (_, at): Made => {
    const place = at % 100 === 99 ? at - 1 : at;
    const number = (place % 900) + upload * 45;
    const late = upload === 1 && number % 11 === 0 ? -1 : upload;
    return {
      account: ACCOUNTS[number % 3] ?? '',
      scan: SCANS[Math.floor(at / 7) % 3] ?? null,
      uid: `finding-${number}`,
      time: EPOCH + late * DAY + ((at * 13) % 7) * 60,
      status: STATUSES[(at * (upload + 3) + Math.floor(at / 50)) % STATUSES.length] ?? 'PASS',
      severity: at % 8,
      muted: at % 5 === 0,
    };
  });
}

function toRecord({ account, scan, uid, time, status, severity, muted }: Made) {
  const [provider, accountUid] = account.split('/');
  return record({
    time,
    status_code: status,
    status_id: muted ? 3 : 1,
    severity_id: severity === 7 ? 99 : severity,
    finding_info: { uid },
    cloud: { provider, account: { uid: accountUid } },
    unmapped: { scan_id: scan, padding: PADDING },
  });
}

/** A finding of an upload, and how the upload changed it. */
interface Changed extends Made {
  readonly upload: number;
  readonly change: string;
}

/** Returns the expected counts of each upload by account and scan, computed without frames. */
function expectedScans(uploads: readonly (readonly Made[])[]) {
  const changed = expectedChanges(uploads);
  return uploads.map((made, upload) => {
    const groups = Object.groupBy(made, ({ account, scan }) => `${account} ${scan}`);
    const ofUpload = changed.filter((one) => one.upload === upload);
    return Object.entries(groups)
      .map(([key, records = []]) => countsOf(key, records, ofUpload))
      .sort((a, b) => (a.key < b.key ? -1 : 1));
  });
}

/** Compares the findings of each upload with the upload before, in the order of time. */
function expectedChanges(uploads: readonly (readonly Made[])[]): readonly Changed[] {
  const newest = uploads.flatMap((made, upload) => {
    const ofUpload = new Map<string, Made & { readonly upload: number }>();
    for (const one of made) {
      const key = `${one.account} ${one.uid}`;
      if (one.time >= (ofUpload.get(key)?.time ?? 0)) ofUpload.set(key, { ...one, upload });
    }
    return [...ofUpload.values()];
  });
  const findings = Map.groupBy(newest, ({ account, uid }) => `${account} ${uid}`);
  return [...findings.values()].flatMap((seen) =>
    seen
      .toSorted((a, b) => a.time - b.time)
      .map((one, index, sorted) => ({ ...one, change: changeOf(sorted[index - 1]?.status, one.status) })),
  );
}

function changeOf(before: Made['status'] | undefined, now: Made['status']): string {
  if (before === undefined) return 'new';
  if (now === 'FAIL' && before !== 'FAIL') return 'regressed';
  return now === 'PASS' && before === 'FAIL' ? 'fixed' : 'unchanged';
}

function countsOf(key: string, records: readonly Made[], changed: readonly Changed[]) {
  const count = (among: readonly Made[], condition: (one: Made) => boolean) => among.filter(condition).length;
  const bySeverity = (among: readonly Made[]) =>
    Object.fromEntries(
      SEVERITY_NAMES.map((name, at) => [name, count(among, ({ severity }) => severity === at)]),
    );
  const failed = records.filter(({ status, muted }) => status === 'FAIL' && !muted);
  const times = records.map(({ time }) => time);
  const statusIs = (wanted: string) => count(records, ({ status }) => status === wanted);
  return {
    key,
    started_at: iso(Math.min(...times)),
    ended_at: iso(Math.max(...times)),
    records: records.length,
    failed: failed.length,
    muted: count(records, ({ muted }) => muted),
    by_status: { PASS: statusIs('PASS'), FAIL: statusIs('FAIL'), MANUAL: statusIs('MANUAL') },
    by_severity: bySeverity(records),
    failed_by_severity: bySeverity(failed),
    ...Object.fromEntries(
      CHANGES.map((change) => [
        change,
        changed.filter((one) => `${one.account} ${one.scan}` === key && one.change === change).length,
      ]),
    ),
  };
}

function iso(seconds: number): string {
  return new Date(seconds * 1000).toISOString().replace('Z', '000Z');
}

describe('scans from uploads', () => {
  let service: Service;
  before(async () => {
    service = await startService({ SLUICE_WORKERS: '2' });
    // Frames wait until the test releases them in the required order.
    await service.sql(`create function hold() returns trigger language plpgsql as $$
      begin new.available_at := 'infinity'; return new; end $$`);
    await service.sql(
      'create trigger hold before insert on frame_queue for each row execute function hold()',
    );
  });
  after(() => service.remove());

  async function accept(client: Client, file: FileContent): Promise<string> {
    const { status, body } = await client.upload(file);
    assert.equal(status, 202);
    return body.data.id;
  }

  async function release(ingestion: string, frames: readonly number[]): Promise<void> {
    const which = [ingestion, frames];
    await service.sql(
      'update frame_queue set available_at = now() where ingestion_id = $1 and number = any($2)',
      which,
    );
    await service.sql('notify sluice_frames');
    for (;;) {
      const remaining = await service.sql(
        'select from frame_queue where ingestion_id = $1 and number = any($2)',
        which,
      );
      if (remaining.length === 0) return;
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  }

  /** Returns the scans of an upload from the API, in the format of `expectedScans`. */
  async function scansOf(client: Client, ingestion: string) {
    const query = `/scans?page[size]=1000&filter[ingestion]=${ingestion}`;
    const { status, body } = await client.get<Scan[]>(query);
    assert.equal(status, 200);
    const accounts = new Map(
      (
        await service.sql<{ id: string; account: string }>(
          `select id, type || '/' || account as account from providers`,
        )
      ).map(({ id, account }) => [id, account]),
    );
    const scans = body.data.map(({ attributes: { uid, inserted_at: _, ...counts }, relationships }) => {
      assert.equal(relationships.ingestion.data.id, ingestion);
      return { key: `${accounts.get(relationships.provider.data.id)} ${uid}`, ...counts };
    });
    return scans.sort((a, b) => (a.key < b.key ? -1 : 1));
  }

  const uploads = [fileOf(0), fileOf(1)];
  const files = uploads.map((made) => JSON.stringify(made.map(toRecord)));

  it('has test data with new, regressed, fixed and unchanged findings', () => {
    const changed = expectedChanges(uploads).map(({ upload, change }) => `${upload} ${change}`);
    assert.deepEqual([...new Set(changed)].sort(), [
      '0 fixed',
      '0 new',
      '0 regressed',
      '0 unchanged',
      '1 fixed',
      '1 new',
      '1 regressed',
      '1 unchanged',
    ]);
  });

  const orders = [[[2], [1], [0]], [[0, 1, 2]], [[0], [1], [2]], [[1], [2], [0]]];
  for (const order of isWholeRun ? orders : orders.slice(0, 1)) {
    it(`computes the same scan counts when frames are processed in the order ${JSON.stringify(order)}`, async () => {
      const { client } = await createSecondTenant(service);
      const ids: string[] = [];
      for (const file of files) {
        const id = await accept(client, file);
        ids.push(id);
        for (const frames of order) await release(id, frames);
        await client.ended(id);
        // Some records of the second upload are older than the first upload, and change its counts.
        const expected = expectedScans(uploads.slice(0, ids.length));
        assert.deepEqual(await Promise.all(ids.map((id) => scansOf(client, id))), expected);
      }
    });
  }

  it('counts a frame only once in scans when the frame is retried after a failed commit', async (t) => {
    // A sequence keeps its value when a transaction is rolled back.
    await service.sql('create sequence tries');
    await service.sql(`create function fail_twice() returns trigger language plpgsql security definer
      set search_path = sluice as $$
      begin if nextval('tries') <= 2 then raise 'this is a test'; end if; return null; end $$`);
    await service.sql(`create constraint trigger fail_twice after update on ingestions
      deferrable initially deferred for each row when (old.frames_done <> new.frames_done)
      execute function fail_twice()`);
    t.after(() => service.sql('drop trigger fail_twice on ingestions; drop sequence tries'));
    const { client } = await createSecondTenant(service);
    const [file = ''] = files;
    const id = await accept(client, file);
    await release(id, [0, 1, 2]);
    const [attempts] = await service.sql(
      'select sum(interruptions)::int as interruptions from frames where ingestion_id = $1',
      [id],
    );
    assert.equal(attempts?.interruptions, 2, 'expected two failed commits');
    assert.deepEqual([await scansOf(client, id)], expectedScans(uploads.slice(0, 1)));
  });

  it('ignores rejected records in scan counts, and omits scans without valid records', async () => {
    const { client } = await createSecondTenant(service);
    const bad = without('finding_info.uid', record({ unmapped: { scan_id: 'nothing good' } }));
    const id = await accept(client, [record({ unmapped: { scan_id: 'good' } }), bad]);
    await release(id, [0]);
    assert.deepEqual(
      (await scansOf(client, id)).map(({ key, records }) => [key, records]),
      [['aws/111122223333 good', 1]],
    );
  });

  it("returns a scan's upload time with microsecond precision", async () => {
    const client = createClient(service.url, service.key);
    const id = await accept(client, [record()]);
    await release(id, [0]);
    const { body } = await client.get<Scan[]>(`/scans?filter[ingestion]=${id}`);
    const [row] = await service.sql(
      `select to_char(inserted_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as at
       from ingestions where id = $1`,
      [id],
    );
    assert.deepEqual(
      body.data.map(({ attributes }) => attributes.inserted_at),
      [row?.at],
    );
  });

  it('keeps the finding counts consistent with the findings of all scans', () => assertTrueCounts(service));
});
