import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { z } from 'zod';
import { whyNoDevTools } from '../../scripts/dev-tools.ts';
import { broken, makeFolder, readExample, type TemporaryFolder } from './support/examples.ts';
import { type GitlabJob, gitlab, readJobs, scriptOf } from './support/gitlab-jobs.ts';
import { runProcess } from './support/run-process.ts';
import { makeStubScanner, packStub, type StubPlan } from './support/stub-scanner.ts';

const template = await readExample('gitlab/sluice.gitlab-ci.yml');
/** Without a scanner. */
const BARE_PATH = [path.dirname(process.execPath), '/usr/bin', '/bin'].join(path.delimiter);

describe('the GitLab template', { skip: whyNoDevTools() }, () => {
  let scan: GitlabJob;
  let push: GitlabJob;
  before(async () => {
    ({ scan, push } = await readJobs());
  });

  it("is valid against GitLab's schema", async () => {
    const { code, stdout } = await gitlab(template, '--list');
    assert.equal(code, 0);
    assert.match(stdout, /^push .*\[scan\]/m);
  });

  it("is invalid against GitLab's schema with a misspelled key", async () => {
    const { code, stderr } = await gitlab(broken(template, 'allow_failure', 'allow_failures'), '--list');
    assert.equal(code, 1);
    assert.match(stderr, /'allow_failures' property is not expected to be here/);
  });

  it('tolerates findings of a scan but not a failed push', () => {
    assert.deepEqual(scan.allow_failure, { exit_codes: [3] });
    assert.equal(push.allow_failure, undefined);
  });

  it('keeps the artifacts of both jobs, whatever their result', () => {
    for (const { artifacts } of [scan, push]) {
      assert.equal(artifacts.when, 'always');
      assert.deepEqual(artifacts.paths, ['sluice/']);
    }
  });
});

describe('the script of the GitLab job', { skip: whyNoDevTools() }, () => {
  let temporary: TemporaryFolder;
  let stub: string;
  let scan: GitlabJob;
  let push: GitlabJob;
  before(async () => {
    ({ scan, push } = await readJobs());
    temporary = await makeFolder();
    stub = await makeStubScanner(temporary.folder);
  });
  after(() => temporary.remove());

  async function run(job: GitlabJob, variables: Readonly<Record<string, string>>, plan: StubPlan = {}) {
    const calls = await temporary.write('calls', '');
    const file = await temporary.write('job.sh', scriptOf(job));
    const { code, stdout, stderr } = await runProcess('bash', [file], {
      cwd: temporary.folder,
      env: {
        PATH: [stub, path.dirname(process.execPath), process.env.PATH].join(path.delimiter),
        HOME: temporary.folder,
        CI_PROJECT_DIR: temporary.folder,
        STUB: JSON.stringify(plan),
        STUB_CALLS: calls,
        ...job.variables,
        SLUICE_PACKAGE: '',
        ...variables,
      },
    });
    const lines = (await readFile(calls, 'utf8')).split('\n').filter((line) => line !== '');
    const callSchema = z.object({ words: z.array(z.string()) });
    return {
      code,
      said: stdout + stderr,
      calls: lines.map((line) => callSchema.parse(JSON.parse(line)).words),
    };
  }

  const SCAN = ['directory', '--no-banner', '--no-color', '--output-formats', 'json-ocsf', 'html', 'junit'];
  const FILES = ['--output-directory', 'sluice', '--output-filename', 'findings'];

  it('scans and pushes, and exits with the code of the scan', async () => {
    const { code, calls } = await run(scan, {}, { scanCode: 3 });
    assert.equal(code, 3);
    assert.deepEqual(calls, [[...SCAN, ...FILES, '--push-to-cloud', '--wait', '--wait-timeout', '3600']]);
  });

  it('only scans when another job does the push', async () => {
    const { calls } = await run(scan, { SLUICE_PUSH: '' });
    assert.deepEqual(calls, [[...SCAN, ...FILES]]);
  });

  it('pushes the given files and exits with the code of the push', async () => {
    const variables = {
      SLUICE_FILES: 'out/*.ocsf.json more.ocsf.json',
      SLUICE_FLAGS: '--provider aws $(touch owned)',
    };
    const { code, calls } = await run(push, variables, { pushCode: 3 });
    assert.equal(code, 3);
    const flags = [
      '--provider',
      'aws',
      '$(touch',
      'owned)',
      '--wait',
      '--wait-timeout',
      '3600',
      '--no-color',
    ];
    assert.deepEqual(calls, [['push', ...flags, '--', 'out/*.ocsf.json', 'more.ocsf.json']]);
  });

  it('installs the tarball whose hash is given', async () => {
    const { name, integrity } = await packStub(stub, temporary.folder);
    const variables = { SLUICE_PACKAGE: `./${name}`, SLUICE_INTEGRITY: integrity, PATH: BARE_PATH };
    const { code, calls, said } = await run(scan, variables);
    assert.deepEqual({ code, calls: calls.length }, { code: 0, calls: 1 }, said);
  });

  const other = `sha512-${'A'.repeat(86)}==`;
  const wrong: readonly (readonly [string, string, string, RegExp])[] = [
    [
      'no package and no scanner in the image',
      '',
      '',
      /There is no scanner in the image\. Set SLUICE_PACKAGE/,
    ],
    ['no integrity', './sluice-test-scanner-1.0.0.tgz', '', /SLUICE_INTEGRITY takes the hash/],
    [
      'another hash',
      './sluice-test-scanner-1.0.0.tgz',
      other,
      /is not the file whose hash is SLUICE_INTEGRITY/,
    ],
    ['a name without a version', '@sluice/scanner', other, /or NAME@VERSION/],
    ['a file that is not there', './not-there.tgz', other, /npm could not fetch SLUICE_PACKAGE/],
    ['a flag of npm', '--global', other, /must not start with a dash/],
  ];
  for (const [what, SLUICE_PACKAGE, SLUICE_INTEGRITY, sentence] of wrong)
    it(`stops before the scan with a sentence when it is given ${what}`, async () => {
      await packStub(stub, temporary.folder);
      const { code, calls, said } = await run(scan, { SLUICE_PACKAGE, SLUICE_INTEGRITY, PATH: BARE_PATH });
      assert.deepEqual({ code, calls }, { code: 2, calls: [] });
      assert.match(said, sentence);
    });
});
