import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import {
  createTemporaryFolder,
  example,
  readExample,
  replaceOnce,
  type TemporaryFolder,
} from './support/examples.ts';
import { readJobs, scriptOf } from './support/gitlab-jobs.ts';
import { getProgramSkipReason, runProcess } from './support/run-process.ts';

const skip = await getProgramSkipReason('shellcheck');
const shellcheck = (file: string) => runProcess('shellcheck', ['--shell', 'bash', file]);

describe('example shell scripts', () => {
  let folder: TemporaryFolder;
  before(async () => {
    folder = await createTemporaryFolder();
  });
  after(() => folder.remove());

  it('run.sh of the GitHub action has valid bash syntax', async () => {
    const { code, stderr } = await runProcess('bash', ['-n', example('github/run.sh')]);
    assert.deepEqual({ code, stderr }, { code: 0, stderr: '' });
  });

  it('run.sh of the GitHub action passes shellcheck', { skip }, async () => {
    const { code, stdout } = await shellcheck(example('github/run.sh'));
    assert.deepEqual({ code, stdout }, { code: 0, stdout: '' });
  });

  it('shellcheck rejects an unquoted variable in run.sh', { skip }, async () => {
    const text = replaceOnce(await readExample('github/run.sh'), '>>"$GITHUB_OUTPUT"', '>>$GITHUB_OUTPUT');
    const { code, stdout } = await shellcheck(await folder.write('unquoted.sh', text));
    assert.equal(code, 1);
    assert.match(stdout, /SC2086/);
  });

  it('scripts of the GitLab jobs pass shellcheck', { skip }, async () => {
    for (const [name, job] of Object.entries(await readJobs())) {
      const file = await folder.write(`${name}.sh`, scriptOf(job));
      const { code, stdout } = await shellcheck(file);
      assert.deepEqual({ name, code, stdout }, { name, code: 0, stdout: '' });
    }
  });
});
