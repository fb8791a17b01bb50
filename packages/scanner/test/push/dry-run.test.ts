import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { refuse, respond } from './support/behaviors.ts';
import {
  acceptedDryRun,
  changes,
  coverageNotApplied,
  dryRunJob,
  dryRunReport,
  JOB,
  job,
  jobErrors,
  jobIs,
} from './support/documents.ts';
import { failureOf, makeFiles, runPush } from './support/run-push.ts';
import { type Script, startService } from './support/service.ts';

const COMPLETED = respond(200, dryRunJob('completed', { processed: 3 }));
const COUNTS = {
  new: { low: 1, high: 2 },
  reopened: { medium: 1 },
  regressed: { critical: 1 },
  fixed: { medium: 4 },
  unchanged: { informational: 1000 },
  resolved: { fatal: 1 },
  newly_failed: { high: 2, critical: 1 },
};
const HEAD = `a.ocsf.json: pushed as a dry run, 3 records\n  Nothing was ingested or billed.\n  Ingestion job: ${JOB}\n`;
const END = '  completed: 3 of 3 records processed, 0 invalid\n';
const accounts = (count: number) =>
  Array.from({ length: count }, (_, at) => ({ type: 'aws', account: `account-${at}`, name: null }));

async function push(context: TestContext, script: Script, flags: readonly string[] = []) {
  const service = await startService(context, { uploads: [acceptedDryRun], jobs: [COMPLETED], ...script });
  const cwd = await makeFiles(context);
  return { ...(await runPush(['--dry-run', ...flags, 'a.ocsf.json'], { cwd, service })), service };
}

describe('scanner push --dry-run', { concurrency: 2 }, () => {
  it('waits for the job, and prints its new accounts, changed findings and warnings', async (context) => {
    const report = dryRunReport({
      findings: COUNTS,
      accounts: [
        { type: 'aws', account: '111122223333', name: 'Production' },
        { type: 'gcp', account: 'two\nlines', name: 'an \u001b[31mescape' },
        { type: 'gcp', account: 'unnamed', name: null },
        { type: 'gcp', account: 'without-name', name: '' },
      ],
      warnings: { duplicate_finding: 2, missing_required_attribute: 1 },
    });
    const { code, stdout, stderr, service } = await push(context, { dryRuns: [report] });
    assert.deepEqual({ code, stderr }, { code: 0, stderr: '' });
    assert.equal(
      stdout,
      `${HEAD}${END}  New billed accounts: 4\n    aws 111122223333 (Production)\n` +
        '    gcp two lines (an [31mescape)\n    gcp unnamed\n    gcp without-name\n' +
        '  Findings: 3 new, 1 reopened, 1 regressed, 4 fixed, 1000 unchanged, 1 resolved\n' +
        '  Newly failed: 1 critical, 2 high\n' +
        '  Warnings by code: duplicate_finding 2, missing_required_attribute 1\n',
    );
    assert.deepEqual(
      service.requests.slice(-2).map(({ method, path }) => `${method} ${path}`),
      [`GET /api/v1/ingestions/${JOB}`, `GET /api/v1/ingestions/${JOB}/dry-run`],
    );
  });

  it('prints no new accounts, changes and warnings if there are none', async (context) => {
    const { code, stdout } = await push(context, {});
    assert.equal(code, 0);
    assert.equal(
      stdout,
      `${HEAD}${END}  New billed accounts: none\n  Findings: none\n  Newly failed: none\n`,
    );
  });

  it('prints at most 20 new accounts, and the number of all others', async (context) => {
    for (const [listed, total, more] of [
      [20, 20, undefined],
      [21, 21, 1],
      [1000, 3000, 2980],
    ] as const) {
      const report = dryRunReport({ accounts: accounts(listed), total });
      const { stdout } = await push(context, { dryRuns: [report] });
      const last = more === undefined ? '' : `    and ${more} more\n`;
      assert.ok(stdout.includes(`\n    aws account-19\n${last}  Findings: none\n`), stdout);
      assert.ok(stdout.includes(`  New billed accounts: ${total}\n    aws account-0\n`), stdout);
    }
  });

  it('prints why the declared coverage would not be applied', async (context) => {
    const { data, meta } = dryRunJob('completed', { processed: 3 });
    const { stdout } = await push(
      context,
      {
        jobs: [
          respond(200, { data: { ...data, meta: { ...data.meta, warnings: 1, coverage: 'account' } }, meta }),
        ],
        dryRuns: [dryRunReport({ warnings: { coverage_not_applied: 1 } })],
        warnings: [coverageNotApplied('no record names its product')],
      },
      ['--coverage', 'account'],
    );
    const end =
      '  Warnings by code: coverage_not_applied 1\n  Warning: No findings were resolved: no record names its product [coverage_not_applied]\n';
    assert.ok(stdout.endsWith(end), stdout);
  });

  it('exits with 3 if records are invalid, and prints the report and the first errors', async (context) => {
    const error = { code: 'invalid_field', detail: 'must be a string', record_index: 1, byte_offset: 25 };
    const { code, stdout, stderr } = await push(context, {
      jobs: [respond(200, dryRunJob('failed', { processed: 3, invalid: 1 }))],
      errors: [jobErrors([error], { invalid_field: 6 })],
      dryRuns: [dryRunReport({ findings: { new: { high: 2 } }, errors: { invalid_field: 6 } })],
    });
    assert.deepEqual({ code, stderr }, { code: 3, stderr: '' });
    assert.match(
      stdout,
      /\n {2}failed: 3 of 3 records processed, 1 invalid\n {2}New billed accounts: none\n {2}Findings: 2 new\n {2}Newly failed: none\n {2}Errors by code: invalid_field 6\n {4}record 1 at byte 25: must be a string \[invalid_field\]\n {4}and 5 more: GET /,
    );
  });

  it('prints the errors of the report if the first errors of the job cannot be read', async (context) => {
    const { code, stdout, stderr } = await push(context, {
      jobs: [respond(200, dryRunJob('failed', { processed: 3, invalid: 1 }))],
      errors: [refuse(500, '')],
      dryRuns: [dryRunReport({ errors: { invalid_json: 1 } })],
    });
    assert.equal(code, 1);
    assert.ok(stdout.endsWith('\n  Errors by code: invalid_json 1\n'), stdout);
    assert.match(stderr, / \[service_failed\]\n$/);
  });

  it('prints the report as JSON with --json', async (context) => {
    const report = { accounts: accounts(1), total: 30, errors: { a: 1 }, warnings: { b: 2 } };
    const { code, stdout } = await push(
      context,
      { dryRuns: [dryRunReport({ ...report, findings: COUNTS })] },
      ['--json'],
    );
    assert.equal(code, 0);
    const [file] = JSON.parse(stdout);
    assert.deepEqual([file.status, file.findings], ['completed', null]);
    assert.deepEqual(file.dry_run, {
      findings: changes(COUNTS),
      new_providers: { total: 30, listed: accounts(1) },
      errors: { a: 1 },
      warnings: { b: 2 },
    });
  });

  it('sends dry_run as a form field, together with all others, and another idempotency key than without it', async (context) => {
    const all = ['--account', 'a', '--provider', 'aws', '--label', 'a=b', '--coverage', 'account'];
    const keys = new Set<unknown>();
    for (const flags of [[], ['--account', 'a'], ['--label', 'a=b'], ['--coverage', 'account'], all]) {
      const [upload] = (await push(context, {}, flags)).service.uploads();
      keys.add(upload?.headers['idempotency-key']);
      assert.deepEqual(upload?.form?.parts.slice(-2), [
        ['dry_run', 'true'],
        ['file', 'file'],
      ]);
      const service = await startService(context);
      await runPush([...flags, 'a.ocsf.json'], { cwd: await makeFiles(context), service });
      const [real] = service.uploads();
      keys.add(real?.headers['idempotency-key']);
      assert.deepEqual(
        real?.form?.parts,
        upload?.form?.parts.filter(([name]) => name !== 'dry_run'),
      );
    }
    assert.equal(keys.size, 10);
  });

  it('states that the report of a repeated dry run is that of the first one', async (context) => {
    const replay = respond(202, dryRunJob('completed'), { 'idempotency-replayed': 'true' });
    const { stdout } = await push(context, { uploads: [replay] });
    assert.match(
      stdout,
      /^a\.ocsf\.json: already pushed as a dry run, 3 records\n {2}Nothing was ingested or billed\. The report is from the first dry run; for a new one, use a new --idempotency-key\.\n/,
    );
  });

  it('prints that an earlier release of the service does not support dry runs', async (context) => {
    const detail = (name: string) =>
      `The form field '${name}' is not supported. Send the file in the field 'file' and, optionally, the fields 'provider', 'account' and 'dry_run'.`;
    const rejected = (name: string) =>
      respond(400, { errors: [{ status: '400', code: 'unexpected_part', detail: detail(name) }] });
    assert.deepEqual(failureOf(await push(context, { uploads: [rejected('dry_run')] })), {
      code: 'refused',
      message: 'the service does not support dry runs (400); upgrade the service',
      retries: [],
    });
    const other = failureOf(await push(context, { uploads: [rejected('label')] }));
    assert.match(other.message, /^POST \/api\/v1\/ingestions returned 400: The form field 'label' /);
  });

  it('names the job and sends no other file if the service ingests the file nevertheless', async (context) => {
    const service = await startService(context, { uploads: [respond(202, job('pending'))] });
    const cwd = await makeFiles(context, { 'a.json': '[1]', 'b.json': '[2]' });
    const { code, stdout, stderr } = await runPush(['--dry-run', 'a.json', 'b.json'], { cwd, service });
    assert.deepEqual({ code, stdout }, { code: 1, stdout: '' });
    assert.match(
      stderr,
      new RegExp(
        `^a\\.json: Push failed: the service does not support dry runs, and ingests the file as job ${JOB}; `,
      ),
    );
    assert.equal(service.uploads().length, 1);
  });

  it('exits with 1 without its report, and prints no changes', async (context) => {
    const noReport = await push(context, { dryRuns: [refuse(409, 'Not ended.')] });
    assert.equal(noReport.code, 1);
    assert.equal(noReport.stdout, `${HEAD}${END}`);
    assert.match(
      noReport.stderr,
      /: Reading the result of the job failed: GET .*dry-run returned 409: Not ended \[refused\]\n$/,
    );
    const noEnd = await push(context, { jobs: [jobIs('processing')] }, ['--wait-timeout', '1', '--json']);
    assert.equal(noEnd.code, 1);
    const [file] = JSON.parse(noEnd.stdout);
    assert.deepEqual([file.findings, file.dry_run, file.problem.code], [null, null, 'wait_timeout']);
    const unread = await push(context, { dryRuns: [refuse(409, 'Not ended.')] }, ['--json']);
    const [result] = JSON.parse(unread.stdout);
    assert.deepEqual([result.findings, result.dry_run, result.problem.code], [null, null, 'refused']);
  });

  it('evaluates --fail-on with the counts of the report, without a list of findings', async (context) => {
    const dryRuns = [dryRunReport({ findings: COUNTS })];
    const failed = await push(context, { dryRuns }, ['--fail-on', 'high']);
    assert.equal(failed.code, 4);
    assert.ok(
      failed.stdout.endsWith(
        'The gate failed: 3 new, regressed or reopened findings have severity high or worse.\n' +
          'The findings cannot be listed: a dry run does not store them\n',
      ),
      failed.stdout,
    );
    assert.deepEqual(failed.service.lists(), []);
    const passed = await push(context, { dryRuns }, ['--fail-on', 'fatal', '--json']);
    assert.equal(passed.code, 0);
    assert.equal(JSON.parse(passed.stdout)[0].gate.result, 'passed');
    const unknown = await push(context, { dryRuns: [refuse(404, '')] }, ['--fail-on', 'high']);
    assert.equal(unknown.code, 1);
    assert.match(unknown.stderr, /\nThe gate was not evaluated: the report of the dry run is unknown\n$/);
  });
});
