import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { z } from 'zod';
import { getDevToolsSkipReason } from '../../scripts/dev-tools.ts';
import { createTemporaryFolder, readExample, replaceOnce, type TemporaryFolder } from './support/examples.ts';
import { type GitlabJob, gitlab, PREDEFINED, readJobs, scriptOf } from './support/gitlab-jobs.ts';
import { runProcess } from './support/run-process.ts';
import { createStubScanner, packStub, type StubPlan } from './support/stub-scanner.ts';

const template = await readExample('gitlab/sluice.gitlab-ci.yml');
/** A PATH without the scanner. */
const BARE_PATH = [path.dirname(process.execPath), '/usr/bin', '/bin'].join(path.delimiter);

describe('GitLab template', { skip: getDevToolsSkipReason() }, () => {
  let scan: GitlabJob;
  let push: GitlabJob;
  before(async () => {
    ({ scan, push } = await readJobs());
  });

  it("the GitLab template conforms to GitLab's schema", async () => {
    const { code, stdout } = await gitlab(template, '--list');
    assert.equal(code, 0);
    assert.match(stdout, /^push .*\[scan\]/m);
  });

  it("GitLab's schema rejects a template with a misspelled key", async () => {
    const { code, stderr } = await gitlab(replaceOnce(template, 'allow_failure', 'allow_failures'), '--list');
    assert.equal(code, 1);
    assert.match(stderr, /'allow_failures' property is not expected to be here/);
  });

  it('the GitLab template allows a scan to fail with exit code 3 but does not allow a push to fail', () => {
    assert.deepEqual(scan.allow_failure, { exit_codes: [3] });
    assert.equal(push.allow_failure, undefined);
  });

  it('the GitLab template always keeps the artifacts of both jobs', () => {
    for (const { artifacts } of [scan, push]) {
      assert.equal(artifacts.when, 'always');
      assert.deepEqual(artifacts.paths, ['sluice/']);
    }
  });
});

describe('GitLab job script', { skip: getDevToolsSkipReason() }, () => {
  let temporary: TemporaryFolder;
  let stub: string;
  let scan: GitlabJob;
  let push: GitlabJob;
  before(async () => {
    ({ scan, push } = await readJobs());
    temporary = await createTemporaryFolder();
    stub = await createStubScanner(temporary.folder);
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
        ...PREDEFINED,
        STUB: JSON.stringify(plan),
        STUB_CALLS: calls,
        ...job.variables,
        SLUICE_PACKAGE: '',
        ...variables,
      },
    });
    const lines = (await readFile(calls, 'utf8')).split('\n').filter((line) => line !== '');
    const callSchema = z.object({ args: z.array(z.string()) });
    return {
      code,
      output: stdout + stderr,
      calls: lines.map((line) => callSchema.parse(JSON.parse(line)).args),
    };
  }

  const SCAN = ['directory', '--no-banner', '--no-color', '--output-formats', 'json-ocsf', 'html', 'junit'];
  const FILES = ['--output-directory', 'sluice', '--output-filename', 'findings'];

  const labelsOf = (ref: string) =>
    [
      `repository=${PREDEFINED.CI_PROJECT_PATH}`,
      ref,
      `commit=${PREDEFINED.CI_COMMIT_SHA}`,
      `pipeline=${PREDEFINED.CI_PIPELINE_URL}`,
    ].flatMap((label) => ['--label', label]);
  const LABELS = labelsOf('branch=main');

  it('the GitLab scan job scans and pushes, and exits with the code of the scan', async () => {
    const { code, calls } = await run(scan, {}, { scanCode: 3 });
    assert.equal(code, 3);
    const push = ['--push-to-cloud', '--wait', '--wait-timeout', '3600', ...LABELS];
    assert.deepEqual(calls, [[...SCAN, ...FILES, ...push]]);
  });

  it('the GitLab jobs label uploads with the branch of a merge request, with a tag, or as in the flags', async () => {
    const labelled = async (variables: Readonly<Record<string, string>>) => {
      const { code, calls } = await run(push, variables);
      assert.equal(code, 0);
      return (calls[0] ?? []).filter((text, at, all) => text === '--label' || all[at - 1] === '--label');
    };
    const branch = 'feature/$(touch owned) x';
    const merge = {
      CI_COMMIT_REF_NAME: 'refs/merge-requests/1',
      CI_MERGE_REQUEST_SOURCE_BRANCH_NAME: branch,
    };
    assert.deepEqual(await labelled(merge), labelsOf(`branch=${branch}`));
    assert.deepEqual(await labelled({ CI_COMMIT_TAG: 'v1' }), labelsOf('tag=v1'));
    assert.deepEqual(await labelled({ SLUICE_FLAGS: '--label team=x' }), ['--label', 'team=x']);
  });

  it('the GitLab jobs fail with exit code 4 because of SLUICE_FAIL_ON, if they push', async () => {
    const wait = ['--wait', '--wait-timeout', '3600', ...LABELS];
    const scanned = await run(scan, { SLUICE_FAIL_ON: 'high' }, { scanCode: 4 });
    assert.equal(scanned.code, 4);
    assert.deepEqual(scanned.calls, [[...SCAN, ...FILES, '--push-to-cloud', ...wait, '--fail-on', 'high']]);
    const pushed = await run(push, { SLUICE_FAIL_ON: 'high' }, { pushCode: 4 });
    assert.equal(pushed.code, 4);
    assert.deepEqual(pushed.calls, [
      ['push', '--fail-on', 'high', ...wait, '--no-color', '--', 'sluice/*.ocsf.json'],
    ]);
    const { calls } = await run(scan, { SLUICE_FAIL_ON: 'high', SLUICE_PUSH: '' });
    assert.deepEqual(calls, [[...SCAN, ...FILES]]);
  });

  it('the GitLab scan job does not push if SLUICE_PUSH is empty', async () => {
    const { calls } = await run(scan, { SLUICE_PUSH: '' });
    assert.deepEqual(calls, [[...SCAN, ...FILES]]);
  });

  it('the GitLab push job pushes the given files and exits with the code of the push', async () => {
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
      ...LABELS,
      '--no-color',
    ];
    assert.deepEqual(calls, [['push', ...flags, '--', 'out/*.ocsf.json', 'more.ocsf.json']]);
  });

  it('the GitLab job installs a tarball with a matching hash', async () => {
    const { name, integrity } = await packStub(stub, temporary.folder);
    const variables = { SLUICE_PACKAGE: `./${name}`, SLUICE_INTEGRITY: integrity, PATH: BARE_PATH };
    const { code, calls, output } = await run(scan, variables);
    assert.deepEqual({ code, calls: calls.length }, { code: 0, calls: 1 }, output);
  });

  const otherHash = `sha512-${'A'.repeat(86)}==`;
  const invalidPackages: readonly (readonly [string, string, string, RegExp])[] = [
    [
      'no package and no scanner in the image',
      '',
      '',
      /The image does not contain the scanner\. Set SLUICE_PACKAGE/,
    ],
    ['no integrity hash', './sluice-test-scanner-1.0.0.tgz', '', /SLUICE_INTEGRITY must be the hash/],
    ['a different hash', './sluice-test-scanner-1.0.0.tgz', otherHash, /does not match SLUICE_INTEGRITY/],
    ['a name without a version', '@sluice/scanner', otherHash, /or NAME@VERSION/],
    ['a missing file', './missing.tgz', otherHash, /npm can't download SLUICE_PACKAGE/],
    ['an npm flag', '--global', otherHash, /must not start with a dash/],
  ];
  for (const [description, SLUICE_PACKAGE, SLUICE_INTEGRITY, message] of invalidPackages)
    it(`the GitLab job exits with an error before the scan for ${description}`, async () => {
      await packStub(stub, temporary.folder);
      const { code, calls, output } = await run(scan, { SLUICE_PACKAGE, SLUICE_INTEGRITY, PATH: BARE_PATH });
      assert.deepEqual({ code, calls }, { code: 2, calls: [] });
      assert.match(output, message);
    });
});
