import assert from 'node:assert/strict';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import pg from 'pg';
import { type Client, createClient, type Resource } from '../support/client.ts';
import { createTenantKey } from '../support/deployment.ts';
import { countTenantsToBackfill, findDimensionFaults } from '../support/dimension-faults.ts';
import { isWholeRun } from '../support/is-whole-run.ts';
import { installPreviousRelease } from '../support/previous-release.ts';
import { run } from '../support/process.ts';
import { record } from '../support/records.ts';
import { createEmptyDatabase } from '../support/run-cluster.ts';
import { createSandbox } from '../support/sandbox.ts';
import { settings } from '../support/service.ts';
import { assertTrueCounts, assertTruePreviousCounts } from '../support/true-counts.ts';

const CURRENT = fileURLToPath(new URL('../../bin/sluice.js', import.meta.url));
/** Ingesting and backfilling a million findings takes up to half an hour beside other tests. */
const TIMEOUT_MS = 38 * 60_000;
/** The sample needs several transactions to backfill. */
const FINDINGS = Number(process.env.SLUICE_TEST_UPGRADE_FINDINGS ?? (isWholeRun ? 1_000_000 : 6_000));
const UPLOAD_RECORDS = isWholeRun ? 500 : 100;
/**
 * With a million findings, a read takes up to a second and an export several. Without longer pauses, they alone use two
 * processors.
 */
const PAUSES_MS = isWholeRun
  ? { read: 1000, upload: 1000, export: 20_000 }
  : { read: 100, upload: 100, export: 100 };
const FILE_RECORDS = 10_000;
/** A migration of a million findings and the backfill may take this long. */
const BACKFILL_MS = 20 * 60_000;
const READS = [
  '/findings?page[size]=50',
  '/findings?filter[severity]=high&filter[status]=FAIL&sort=-last_seen_at',
  '/findings?filter[delta]=changed',
  '/findings?filter[search]=bucket-7',
  '/findings/summary',
  '/checks?page[size]=50',
  '/providers',
  '/scans',
];
/** The previous release cannot export findings. */
const EXPORT = '/findings/export?format=csv&filter[search]=bucket-77';

const previous = await installPreviousRelease();

// Uploads and reads continue during the migration of a large database, and while its findings are backfilled.
describe('the migration of a database with many findings', {
  skip: typeof previous === 'string' && previous,
  timeout: 2 * BACKFILL_MS,
}, () => {
  const PREVIOUS = typeof previous === 'string' ? '' : previous.bin;
  const sandbox = createSandbox();
  const failures: string[] = [];
  const accepted: string[] = [];
  /** Numbers of findings and scans in the accepted files. */
  const sent = { findings: 0, scans: 0 };
  const slowest = new Map<string, number>();
  let databaseUrl: string;
  let blobs: string;
  let client: Client;
  let url: string;
  let key: string;
  let findingId: string;
  before(async () => {
    databaseUrl = await createEmptyDatabase();
    blobs = pathToFileURL(path.join(await sandbox.newDataDir(), 'blobs')).href;
  });
  after(() => sandbox.clear());

  const environment = async () =>
    settings(await sandbox.newDataDir(), {
      DATABASE_URL: databaseUrl,
      SLUICE_BLOB_STORE: blobs,
      SLUICE_WORKERS: '1',
      // Other tests run on the same machine. With a million findings, a read can then take longer than the default allows.
      SLUICE_READ_SECONDS: '50',
    });
  const start = async (bin: string) => {
    const args = [bin, 'serve'];
    const started = sandbox.startProcess(process.execPath, args, { env: await environment() });
    await started.printed(/Sluice is ready/);
    return { ...started, url: /ready at (\S+)/.exec(started.output.stdout)?.[1] ?? '' };
  };
  const sluice = async (bin: string, ...args: string[]) => {
    const { code, stdout, stderr } = await run(process.execPath, [bin, ...args, '--json'], {
      env: await environment(),
    });
    assert.equal(code, 0, stderr);
    return JSON.parse(stdout);
  };
  /** Returns the id of the ingestion; `undefined` if the upload failed. */
  const upload = async (first: number, count: number, scan: number): Promise<string | undefined> => {
    const { status, body } = await client.upload(
      Array.from({ length: count }, (_, n) => recordOf(first + n, scan)),
    );
    if (status !== 202) {
      failures.push(`upload: ${status} ${JSON.stringify(body)}`);
      return undefined;
    }
    accepted.push(body.data.id);
    // The findings of all files are numbered without a gap.
    sent.findings = Math.max(sent.findings, first + count);
    sent.scans += new Set(Array.from({ length: count }, (_, n) => accountOf(first + n))).size;
    return body.data.id;
  };

  const startReader = (phase: string, reads: readonly string[], pauseMs: number) =>
    repeat(async () => {
      for (const read of reads) {
        const startedAt = performance.now();
        const response = await fetch(`${url}/api/v1${read}`, {
          headers: { authorization: `Api-Key ${key}` },
        });
        const text = await response.text();
        if (response.status !== 200) failures.push(`${phase}: ${read}: ${response.status} ${text}`);
        slowest.set(phase, Math.max(slowest.get(phase) ?? 0, performance.now() - startedAt));
        await sleep(pauseMs);
      }
    });
  /** Uploads known findings with other states, and new findings. Waits for each ingestion, as a scan in CI does. */
  const startUploader = (at: number) =>
    repeat(async (scan) => {
      const id = await upload((scan * 997 + at * 499) % FINDINGS, UPLOAD_RECORDS, scan);
      if (id !== undefined) await client.ended(id);
      await sleep(PAUSES_MS.upload);
    });
  /** Uploads and reads until the returned function is called. */
  const startTraffic = (phase: string) => {
    const reads = [...READS, `/findings/${findingId}`];
    const stops = [
      startReader(phase, reads, PAUSES_MS.read),
      startReader(phase, reads, PAUSES_MS.read),
      startUploader(0),
      startUploader(1),
    ];
    return async () => {
      await Promise.all(stops.map(async (stop) => await stop()));
    };
  };
  const sql = async (text: string): Promise<unknown[]> => {
    const owner = new pg.Client({ connectionString: databaseUrl });
    await owner.connect();
    try {
      return (await owner.query(text)).rows;
    } finally {
      await owner.end();
    }
  };

  it(`completes without a failed request, with ${FINDINGS} findings`, { timeout: TIMEOUT_MS }, async (t) => {
    const old = await start(PREVIOUS);
    key = await createTenantKey({ sluiceJson: async (...args) => await sluice(PREVIOUS, ...args) });
    url = old.url;
    client = createClient(url, key);
    for (let first = 0; first < FINDINGS; first += FILE_RECORDS) {
      await upload(first, Math.min(FILE_RECORDS, FINDINGS - first), 0);
      // A single file in progress at a time keeps the test's memory small.
      if (first % (FILE_RECORDS * 5) === 0) await client.ended(accepted.at(-1) ?? '');
    }
    for (const id of accepted) await client.ended(id);
    findingId = (await client.get<Resource[]>('/findings?page[size]=1')).body.data[0]?.id ?? '';
    let stop = startTraffic('before the migration');
    await sleep(2000);
    await stop();
    stop = startTraffic('during the migration');
    const startedAt = performance.now();
    const { applied } = await sluice(CURRENT, 'migrate');
    t.diagnostic(`${applied.length} migrations took ${Math.round(performance.now() - startedAt)} ms`);
    assert.notEqual(applied.length, 0, 'the current release adds no migration');
    await stop();
    const stopBoth = startTraffic('while both releases backfill and merge');
    const current = await start(CURRENT);
    url = current.url;
    client = createClient(url, key);
    // In one loop, because a tenant can run one export at a time.
    const stopExports = startReader('of an export', [EXPORT], PAUSES_MS.export);
    const backfillFrom = performance.now();
    while ((await countTenantsToBackfill(databaseUrl)) > 0) {
      assert.ok(performance.now() - backfillFrom < BACKFILL_MS, 'the findings were not backfilled in time');
      await sleep(200);
    }
    t.diagnostic(`backfilling took ${Math.round(performance.now() - backfillFrom)} ms`);
    await Promise.all([stopBoth(), stopExports()]);
    for (const [phase, ms] of slowest) t.diagnostic(`slowest request ${phase}: ${Math.round(ms)} ms`);
    assert.deepEqual(failures, []);
    for (const id of accepted) assert.equal((await client.ended(id)).attributes.status, 'completed');
    assert.deepEqual(
      await sql(
        'select (select count(*)::int from sluice.findings) as findings, (select count(*)::int from sluice.scans) as scans',
      ),
      [sent],
    );
    assert.deepEqual(await findDimensionFaults(databaseUrl), []);
    await assertTruePreviousCounts({ sql });
    await assertTrueCounts({ sql });
    for (const { signal } of [old, current]) signal('SIGTERM');
    for (const { exited } of [old, current]) assert.equal(await exited, 0);
  });
});

/** Repeats the work until the returned function is called. */
function repeat(work: (round: number) => Promise<void>): () => Promise<void> {
  let isOver = false;
  const loop = async () => {
    for (let round = 1; !isOver; round++) await work(round);
  };
  const ended = loop();
  return async () => {
    isOver = true;
    await ended;
  };
}

const resourceOf = (n: number) => Math.floor(n / 5);
const accountOf = (n: number) => `11112222${String(resourceOf(n) % 40).padStart(4, '0')}`;

/** Five findings per resource. Later scans have later records with other states. */
function recordOf(n: number, scan: number): Record<string, unknown> {
  const resource = resourceOf(n);
  return record({
    finding_info: { uid: `finding-${n}`, title: 'Buckets are not public' },
    time: 1_780_000_000 + scan,
    status_code: (n + scan) % 3 === 0 ? 'PASS' : 'FAIL',
    severity_id: 2 + (n % 4),
    metadata: { event_code: `check_${n % 300}` },
    cloud: { provider: 'aws', region: 'eu-central-1', account: { uid: accountOf(n), name: 'Production' } },
    resources: [
      {
        uid: `arn:aws:s3:::bucket-${resource}`,
        name: `bucket-${resource}`,
        type: `Type${n % 20}`,
        region: `region-${resource % 8}`,
        group: { name: `service-${n % 30}` },
      },
    ],
  });
}
