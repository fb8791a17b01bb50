import assert from 'node:assert/strict';
import { mkdir, readdir } from 'node:fs/promises';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { getDevToolsSkipReason } from '../../scripts/dev-tools.ts';
import { type CheckoutScanner, startCheckoutScanner } from './support/checkout-scanner.ts';
import { environmentOf, readCronJob } from './support/cron-job.ts';
import { type GitlabJob, PREDEFINED, readJobs, scriptOf } from './support/gitlab-jobs.ts';
import { createActionRunner } from './support/run-action.ts';
import { runProcess } from './support/run-process.ts';

const FAST = '--directory-requests-per-second=0';

describe('examples with the scanner from this checkout', () => {
  let setup: CheckoutScanner;
  before(async () => {
    setup = await startCheckoutScanner();
  });
  after(() => setup.stop());

  const environment = () => ({
    PATH: [setup.folder, path.dirname(process.execPath), process.env.PATH].join(path.delimiter),
    HOME: setup.temporary.folder,
    SCANNER_CLOUD_API_BASE_URL: setup.service.url,
    ...setup.organization,
    ...setup.key,
  });

  it('the GitHub action scans and pushes, then pushes the same file again', async () => {
    const action = await createActionRunner();
    try {
      const env = { ...setup.organization, ...setup.key };
      const inputs = { 'base-url': setup.service.url, flags: FAST };
      const scan = await action.run({ env, inputs, scannerFolder: setup.folder });
      assert.equal(scan.code, 0, scan.stdout + scan.stderr);
      assert.match(scan.stdout, /^::notice title=Sluice::.*exit code 3/m);
      assert.match(scan.summary, /\| FAIL \| \d+ \| \d+ \|/);
      const [job] = setup.service.uploads;
      assert.equal(job?.authorization, `Api-Key ${setup.key.SCANNER_CLOUD_API_KEY}`);
      assert.match(scan.outputs['ingestion-ids'] ?? '', /^[\da-f-]{36}$/);

      const files = path.join(scan.outputs['output-directory'] ?? '', '*.ocsf.json');
      const again = { command: 'push', files, 'base-url': setup.service.url };
      const push = await action.run({ env, inputs: again, scannerFolder: setup.folder });
      assert.equal(push.code, 0, push.stdout + push.stderr);
      assert.equal(setup.service.uploads.length, 2);
      assert.equal(setup.service.uploads[1]?.idempotencyKey, job?.idempotencyKey);
    } finally {
      await action.remove();
    }
  });

  it('the GitHub action reports a missing API key', async () => {
    const action = await createActionRunner();
    try {
      const inputs = { 'base-url': setup.service.url, flags: FAST, 'fail-on-push': 'true' };
      const { code, stderr, summary } = await action.run({
        env: setup.organization,
        inputs,
        scannerFolder: setup.folder,
      });
      assert.equal(code, 1);
      assert.match(stderr, /Push skipped: SCANNER_CLOUD_API_KEY/);
      assert.match(summary, /SCANNER&#95;CLOUD&#95;API&#95;KEY is not set/);
    } finally {
      await action.remove();
    }
  });

  async function runJob(job: GitlabJob, variables: Readonly<Record<string, string>> = {}) {
    const cwd = path.join(setup.temporary.folder, 'project');
    await mkdir(cwd, { recursive: true });
    const file = await setup.temporary.write('job.sh', scriptOf(job));
    const env = { ...environment(), ...PREDEFINED, ...job.variables, SLUICE_PACKAGE: '', ...variables };
    const ended = await runProcess('bash', [file], { cwd, env });
    return { ...ended, files: await readdir(path.join(cwd, 'sluice')) };
  }

  it('the GitLab jobs scan, push, and write artifacts', { skip: getDevToolsSkipReason() }, async () => {
    const { scan, push } = await readJobs();
    const before = setup.service.uploads.length;
    const scanned = await runJob(scan, { SLUICE_FLAGS: FAST });
    assert.equal(scanned.code, 3, scanned.stdout + scanned.stderr);
    assert.match(scanned.stdout, /29 of 29 records/);
    for (const name of ['findings.ocsf.json', 'findings.html', 'findings.junit.xml'])
      assert.ok(scanned.files.includes(name), name);
    const pushed = await runJob(push);
    assert.equal(pushed.code, 0, pushed.stdout + pushed.stderr);
    assert.ok(pushed.files.includes('push.txt'));
    assert.equal(setup.service.uploads.length, before + 2);
  });

  it('the containers of the Kubernetes CronJob scan and push with their own variables', async () => {
    const output = path.join(setup.temporary.folder, 'output');
    const before = setup.service.uploads.length;
    const values: Readonly<Record<string, string>> = environment();
    const file = await readCronJob();
    for (const container of file.containers) {
      const { args } = container;
      // The example has no variable for the emulator's URL, which is not an HTTPS domain.
      const organization = args[0] === 'directory' ? { DIRECTORY_ORG_URL: values.DIRECTORY_ORG_URL } : {};
      const variables = Object.keys(environmentOf(file, container))
        .filter((name) => name in values)
        .map((name) => [name, values[name]]);
      const scannerArgs = args.map((arg) => arg.replace(/^\/output/, output));
      if (args[0] === 'directory') scannerArgs.push(FAST);
      const { code, stderr, stdout } = await runProcess(path.join(setup.folder, 'scanner'), scannerArgs, {
        cwd: setup.temporary.folder,
        env: { PATH: values.PATH, ...Object.fromEntries(variables), ...organization },
      });
      assert.equal(code, 0, `${args[0]}: ${stdout}${stderr}`);
    }
    assert.equal(setup.service.uploads.length, before + 1);
  });
});
