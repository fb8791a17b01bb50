import assert from 'node:assert/strict';
import { mkdir, readdir } from 'node:fs/promises';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { environmentOf, readCronJob } from './support/cron-job.ts';
import { type GitlabJob, readJobs, scriptOf } from './support/gitlab-jobs.ts';
import { type RealScanner, startRealScanner } from './support/real-scanner.ts';
import { makeActionRunner } from './support/run-action.ts';
import { runProcess } from './support/run-process.ts';

const FAST = '--directory-requests-per-second=0';

describe('the examples with this scanner, an organization and a service', () => {
  let real: RealScanner;
  before(async () => {
    real = await startRealScanner();
  });
  after(() => real.stop());

  const environment = () => ({
    PATH: [real.folder, path.dirname(process.execPath), process.env.PATH].join(path.delimiter),
    HOME: real.temporary.folder,
    SCANNER_CLOUD_API_BASE_URL: real.service.url,
    ...real.organization,
    ...real.key,
  });

  it('scan and push as a GitHub action, then push the same file again', async () => {
    const action = await makeActionRunner();
    try {
      const env = { ...real.organization, ...real.key };
      const inputs = { 'base-url': real.service.url, flags: FAST };
      const scan = await action.run({ env, inputs, scannerFolder: real.folder });
      assert.equal(scan.code, 0, scan.stdout + scan.stderr);
      assert.match(scan.stdout, /^::notice title=Sluice::.*exit code 3/m);
      assert.match(scan.summary, /\| FAIL \| \d+ \| \d+ \|/);
      const [job] = real.service.uploads;
      assert.equal(job?.authorization, `Api-Key ${real.key.SCANNER_CLOUD_API_KEY}`);
      assert.match(scan.outputs['ingestion-ids'] ?? '', /^[\da-f-]{36}$/);

      const files = path.join(scan.outputs['output-directory'] ?? '', '*.ocsf.json');
      const again = { command: 'push', files, 'base-url': real.service.url };
      const push = await action.run({ env, inputs: again, scannerFolder: real.folder });
      assert.equal(push.code, 0, push.stdout + push.stderr);
      assert.equal(real.service.uploads.length, 2);
      assert.equal(real.service.uploads[1]?.idempotencyKey, job?.idempotencyKey);
    } finally {
      await action.remove();
    }
  });

  it('end with a clear error as a GitHub action without a key', async () => {
    const action = await makeActionRunner();
    try {
      const inputs = { 'base-url': real.service.url, flags: FAST, 'fail-on-push': 'true' };
      const { code, stderr, summary } = await action.run({
        env: real.organization,
        inputs,
        scannerFolder: real.folder,
      });
      assert.equal(code, 1);
      assert.match(stderr, /Push skipped: SCANNER_CLOUD_API_KEY/);
      assert.match(summary, /SCANNER&#95;CLOUD&#95;API&#95;KEY is not set/);
    } finally {
      await action.remove();
    }
  });

  async function runJob(job: GitlabJob, variables: Readonly<Record<string, string>> = {}) {
    const cwd = path.join(real.temporary.folder, 'project');
    await mkdir(cwd, { recursive: true });
    const file = await real.temporary.write('job.sh', scriptOf(job));
    const env = { ...environment(), ...job.variables, SLUICE_PACKAGE: '', ...variables };
    const ended = await runProcess('bash', [file], { cwd, env });
    return { ...ended, files: await readdir(path.join(cwd, 'sluice')) };
  }

  it('scan and push as GitLab jobs with the artifacts of the template', async () => {
    const { scan, push } = await readJobs();
    const before = real.service.uploads.length;
    const scanned = await runJob(scan, { SLUICE_FLAGS: FAST });
    assert.equal(scanned.code, 3, scanned.stdout + scanned.stderr);
    assert.match(scanned.stdout, /29 of 29 records/);
    for (const name of ['findings.ocsf.json', 'findings.html', 'findings.junit.xml'])
      assert.ok(scanned.files.includes(name), name);
    const pushed = await runJob(push);
    assert.equal(pushed.code, 0, pushed.stdout + pushed.stderr);
    assert.ok(pushed.files.includes('push.txt'));
    assert.equal(real.service.uploads.length, before + 2);
  });

  it('scan and push as containers of the Kubernetes job, each with its own variables', async () => {
    const output = path.join(real.temporary.folder, 'output');
    const before = real.service.uploads.length;
    const known: Readonly<Record<string, string>> = environment();
    const file = await readCronJob();
    for (const container of file.containers) {
      const { args } = container;
      // What the example has no variable for: the emulator's origin, and no limit to its rate.
      const own = args[0] === 'directory' ? { DIRECTORY_ORG_URL: known.DIRECTORY_ORG_URL } : {};
      const given = Object.keys(environmentOf(file, container))
        .filter((name) => name in known)
        .map((name) => [name, known[name]]);
      const words = args.map((word) => word.replace(/^\/output/, output));
      if (args[0] === 'directory') words.push(FAST);
      const { code, stderr, stdout } = await runProcess(path.join(real.folder, 'scanner'), words, {
        cwd: real.temporary.folder,
        env: { PATH: known.PATH, ...Object.fromEntries(given), ...own },
      });
      assert.equal(code, 0, `${args[0]}: ${stdout}${stderr}`);
    }
    assert.equal(real.service.uploads.length, before + 1);
  });
});
