import assert from 'node:assert/strict';
import { after, before, describe, it, type TestContext } from 'node:test';
import { runProgramHere } from '../../../scanner/test/cli/run-scanner.ts';
import { makeFiles } from '../../../scanner/test/push/support/run-push.ts';
import { type Client, createClient, type Ingestion, type Resource } from '../support/client.ts';
import { joinService, type SharedService } from '../support/lanes.ts';
import { record } from '../support/records.ts';

const START = 1_780_000_000;

describe('scanner push --dry-run with the service', () => {
  let service: SharedService;
  let client: Client;
  before(async () => {
    service = await joinService();
    client = createClient(service.url, service.key);
  });
  after(() => service.leave());

  const push = async (
    context: TestContext,
    records: readonly unknown[],
    flags: readonly string[] = [],
    key = service.key,
  ) => {
    const cwd = await makeFiles(context, { 'a.json': JSON.stringify(records) });
    const env = { SCANNER_CLOUD_API_KEY: key, SCANNER_CLOUD_API_BASE_URL: service.url };
    return await runProgramHere(['push', ...flags, 'a.json'], { cwd, env });
  };
  /** A record of a finding with the severity high. */
  const finding = (
    account: string,
    uid: string,
    minute: number,
    members: Readonly<Record<string, unknown>> = {},
  ) =>
    record({
      time: START + minute * 60,
      finding_info: { uid },
      cloud: { provider: 'aws', account: { uid: account, name: `Account ${account}` } },
      metadata: { product: { name: 'Scanner' } },
      ...members,
    });
  const newestJob = async (): Promise<Ingestion | undefined> =>
    (await client.get<Ingestion[]>('/ingestions')).body.data[0];
  const findingsOf = async (account: string) =>
    (await client.get<Resource[]>(`/findings?filter[account]=${account}&filter[state]=open,resolved`)).body
      .data.length;

  it('prints what the push of the same file then does, with the same flags, and stores no findings', async (context) => {
    await push(context, [finding('report', 'fixed', 0), finding('report', 'absent', 0)], ['--wait']);
    const upload = [
      finding('report', 'fixed', 10, { status_code: 'PASS' }),
      finding('report', 'new', 10),
      finding('report', 'new', 10),
      finding('added', 'new', 10),
    ];
    const flags = ['--coverage', 'account', '--label', 'branch=main'];
    const effect = '  Findings: 2 new, 1 fixed, 1 resolved\n  Newly failed: 2 high\n';
    const dry = await push(context, upload, ['--dry-run', ...flags]);
    const job = await newestJob();
    assert.deepEqual([dry.code, dry.stderr], [0, '']);
    assert.equal(
      dry.stdout,
      'a.json: pushed as a dry run, 4 records\n  Nothing was ingested or billed.\n' +
        `  Ingestion job: ${job?.id}\n  completed: 4 of 4 records processed, 0 invalid\n` +
        `  New billed accounts: 1\n    aws added (Account added)\n${effect}` +
        '  Warnings by code: duplicate_finding 1\n',
    );
    assert.deepEqual([await findingsOf('report'), await findingsOf('added')], [2, 0]);
    const real = await push(context, upload, ['--wait', ...flags]);
    assert.ok(real.stdout.startsWith('a.json: pushed, 4 records\n'), real.stdout);
    assert.ok(real.stdout.endsWith(effect), real.stdout);
    assert.deepEqual([await findingsOf('report'), await findingsOf('added')], [3, 1]);
  });

  it('prints with and without --dry-run that the declared coverage is not applied', async (context) => {
    const upload = [finding('unapplied', 'one', 0, { metadata: {} })];
    const warning =
      '  Warning: No findings were resolved: no record names its product (metadata.product.name) [coverage_not_applied]\n';
    for (const flag of ['--dry-run', '--wait']) {
      const { code, stdout, stderr } = await push(context, upload, [flag, '--coverage', 'account']);
      assert.deepEqual([code, stderr], [0, '']);
      assert.ok(stdout.endsWith(warning), stdout);
    }
  });

  it('creates one job for repeated dry runs, and a new one with another idempotency key', async (context) => {
    const upload = [finding('repeated', 'one', 0)];
    const jobOf = (stdout: string) => /Ingestion job: (\S+)/.exec(stdout)?.[1];
    const first = await push(context, upload, ['--dry-run']);
    await push(context, upload, ['--wait']);
    const repeated = await push(context, upload, ['--dry-run']);
    assert.match(repeated.stdout, /^a\.json: already pushed as a dry run, .*\n.* first dry run; /);
    assert.match(repeated.stdout, /\n {2}Findings: 1 new\n/);
    assert.equal(jobOf(repeated.stdout), jobOf(first.stdout));
    const renewed = await push(context, upload, ['--dry-run', '--idempotency-key', 'renewed']);
    assert.match(renewed.stdout, /^a\.json: pushed as a dry run,/);
    assert.match(renewed.stdout, /\n {2}New billed accounts: none\n {2}Findings: 1 unchanged\n/);
  });

  it('exits with 3 for invalid records and prints the report and their errors', async (context) => {
    const { code, stdout } = await push(
      context,
      [finding('invalid', 'valid', 0), { class_uid: 1 }],
      ['--dry-run'],
    );
    assert.equal(code, 3);
    assert.match(
      stdout,
      /\n {2}failed: 2 of 2 records processed, 1 invalid\n {2}New billed accounts: 1\n {4}aws invalid \(Account invalid\)\n {2}Findings: 1 new\n {2}Newly failed: 1 high\n {2}Errors by code: \w+ 1\n {4}record 1 at byte \d+/,
    );
    assert.equal(await findingsOf('invalid'), 0);
  });

  it('exits with 4 if the gate would fail, and with 0 otherwise', async (context) => {
    const upload = [finding('gate', 'one', 0)];
    const hit = await push(context, upload, ['--dry-run', '--fail-on', 'high']);
    assert.deepEqual([hit.code, hit.stderr], [4, '']);
    assert.match(hit.stdout, /\nThe gate failed: 1 new, [^\n]+\nThe findings cannot be listed: [^\n]+\n$/);
    const passed = await push(context, upload, ['--dry-run', '--fail-on', 'critical']);
    assert.deepEqual([passed.code, passed.stderr], [0, '']);
    assert.match(passed.stdout, /\nThe gate passed: /);
  });

  it('works with a key that has only the permission manage_ingestions, and prints one JSON array with --json', async (context) => {
    const { key } = await service.sluiceJson<{ readonly key: string }>(
      ...['api-key', 'create', '--tenant', service.tenantId, '--user', 'admin@localhost'],
      ...['--permissions', 'manage_ingestions'],
    );
    const { code, stdout } = await push(context, [finding('json', 'one', 0)], ['--dry-run', '--json'], key);
    assert.equal(code, 0);
    const [file] = JSON.parse(stdout);
    assert.equal(file.status, 'completed');
    assert.deepEqual(file.dry_run.new_providers, {
      total: 1,
      listed: [{ type: 'aws', account: 'json', name: 'Account json' }],
    });
    assert.equal(file.dry_run.findings.newly_failed.high, 1);
    assert.deepEqual([file.findings, file.dry_run.errors, file.dry_run.warnings], [null, {}, {}]);
  });

  it('prints the report of a repeated dry run with scanner retry', async (context) => {
    const upload = [finding('retried', 'one', 0, { cloud: null })];
    const { code } = await push(context, upload, ['--dry-run']);
    assert.equal(code, 3);
    const id = (await newestJob())?.id ?? '';
    const env = { SCANNER_CLOUD_API_KEY: service.key, SCANNER_CLOUD_API_BASE_URL: service.url };
    const words = ['retry', id, '--provider', 'aws', '--account', 'retried', '--wait'];
    const retry = await runProgramHere(words, { env });
    assert.equal(retry.code, 0);
    assert.match(retry.stdout, /^Ingestion \S+: retried as a dry run, 1 record\n/);
    assert.match(retry.stdout, /\n {2}New billed accounts: 1\n {4}aws retried\n {2}Findings: 1 new\n/);
    const repeated = JSON.parse((await runProgramHere([...words, '--json'], { env })).stdout);
    assert.deepEqual([repeated.findings, repeated.dry_run.new_providers.total], [null, 1]);
    assert.equal(await findingsOf('retried'), 0);
  });
});
