import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { runProgramHere } from '../../../scanner/test/cli/run-scanner.ts';
import { type Client, createClient, type Ingestion } from '../support/client.ts';
import { joinService, type SharedService } from '../support/lanes.ts';
import { record } from '../support/records.ts';

const DEFAULTS = ['--provider', 'kubernetes', '--account', 'cluster-1'];
const UNKNOWN = '0198a000-0000-7000-8000-00000000abcd';

describe('scanner retry', () => {
  let service: SharedService;
  let client: Client;
  before(async () => {
    service = await joinService();
    client = createClient(service.url, service.key);
  });
  after(() => service.leave());

  const failed = (uid: string) => client.ingest([record({ cloud: null, finding_info: { uid } })]);
  const retry = (words: readonly string[], settings: Readonly<Record<string, string>> = {}) =>
    runProgramHere(['retry', ...words], {
      env: { SCANNER_CLOUD_API_KEY: service.key, SCANNER_CLOUD_API_BASE_URL: service.url, ...settings },
    });
  const newestJob = async (): Promise<Ingestion | undefined> =>
    (await client.get<Ingestion[]>('/ingestions')).body.data[0];

  it('ingests the file of a job again, and prints the new job and its result', async () => {
    const { id } = await failed('waiting');
    const { code, stdout, stderr } = await retry(['--wait', ...DEFAULTS, id]);
    const job = await newestJob();
    assert.deepEqual({ code, stderr }, { code: 0, stderr: '' });
    assert.equal(
      stdout,
      `Ingestion ${id}: retried, 1 record\n  Ingestion job: ${job?.id}\n  Scans: ${service.url}/scans\n` +
        '  completed: 1 of 1 records processed, 0 invalid\n  Findings: 1 new\n  Newly failed: 1 high\n',
    );
    assert.notEqual(job?.id, id);
  });

  it('creates one job for repeated retries, and another job for other defaults', async () => {
    const { id } = await failed('repeated');
    const first = await retry([id, ...DEFAULTS]);
    const repeated = await retry([id.toUpperCase(), ...DEFAULTS]);
    assert.match(first.stdout, /: retried, 1 record\n/);
    assert.match(repeated.stdout, /: already retried, 1 record\n/);
    const jobOf = (stdout: string) => /Ingestion job: (\S+)/.exec(stdout)?.[1];
    assert.equal(jobOf(first.stdout), jobOf(repeated.stdout));
    for (const words of [
      ['--account', 'cluster-2'],
      [...DEFAULTS, '--idempotency-key', 'mine'],
    ]) {
      const other = await retry([id, ...words]);
      assert.match(other.stdout, /: retried, 1 record\n/);
      assert.notEqual(jobOf(other.stdout), jobOf(first.stdout));
    }
  });

  it('exits with 3 if records are still invalid, and prints one JSON object with --json', async () => {
    const { id } = await failed('json');
    const { code, stdout, stderr } = await retry(['--wait', '--json', '--provider', 'kubernetes', id]);
    const { errors, findings, ...result } = JSON.parse(stdout);
    assert.deepEqual({ code, stderr }, { code: 3, stderr: '' });
    assert.deepEqual(result, {
      original_ingestion_id: id,
      ingestion_id: (await newestJob())?.id,
      replayed: false,
      status: 'failed',
      summary: { total: 1, processed: 1, invalid: 1 },
      scans_url: `${service.url}/scans`,
      dry_run: null,
      warnings: [],
      problem: null,
    });
    assert.equal(findings.new.high, 0);
    assert.equal(errors[0].pointer, '/cloud/account/uid');
    assert.match(errors[0].detail, /or retry the ingestion with a default account\.$/);
  });

  it('exits with 1 if the service rejects the retry', async () => {
    const unknown = await retry([UNKNOWN, ...DEFAULTS]);
    assert.deepEqual([unknown.code, unknown.stdout], [1, '']);
    assert.equal(
      unknown.stderr,
      `Retry failed: POST /api/v1/ingestions/${UNKNOWN}/retry returned 404: No ingestion has this ID [refused]\n`,
    );
    const { id } = await failed('rejected');
    const blank = await retry([id, '--account', ' ', '--json']);
    assert.equal(blank.code, 1);
    assert.match(JSON.parse(blank.stdout).problem.message, /The value is blank/);
    const withoutKey = await retry([id], { SCANNER_CLOUD_API_KEY: '' });
    assert.equal(withoutKey.code, 1);
    assert.match(withoutKey.stderr, /^Retry skipped: SCANNER_CLOUD_API_KEY is not set/);
  });

  it('exits with 2 for an invalid command line', async () => {
    for (const words of [[], [UNKNOWN, UNKNOWN], [UNKNOWN, '--wait-timeout', '5'], [UNKNOWN, '--unknown']]) {
      const { code, stderr } = await retry(words);
      assert.deepEqual([code, /\[usage\]\n/.test(stderr)], [2, true], stderr);
    }
  });
});
