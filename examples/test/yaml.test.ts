import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { describe, it } from 'node:test';
import { createTemporaryFolder, EXAMPLES, example, readExample, replaceOnce } from './support/examples.ts';
import { getProgramSkipReason, runProcess } from './support/run-process.ts';

const skip = await getProgramSkipReason('yamllint');
const yamllint = (file: string) =>
  runProcess('yamllint', ['--strict', '--config-file', example('.yamllint.yaml'), file]);

describe('example YAML files', { skip }, () => {
  it('all example YAML files pass yamllint', async () => {
    const names = await readdir(EXAMPLES, { recursive: true });
    const files = names.filter((name) => /\.ya?ml$/.test(name));
    assert.deepEqual(files.filter((name) => !name.startsWith('.')).sort(), [
      'github/action.yml',
      'github/workflow.yml',
      'gitlab/sluice.gitlab-ci.yml',
      'kubernetes/cronjob.yaml',
    ]);
    const { code, stdout } = await runProcess(
      'yamllint',
      ['--strict', '--config-file', '.yamllint.yaml', '.'],
      {
        cwd: EXAMPLES,
      },
    );
    assert.equal(stdout, '');
    assert.equal(code, 0);
  });

  it('yamllint rejects an example with a duplicate key', async () => {
    const { write, remove } = await createTemporaryFolder();
    try {
      const text = replaceOnce(
        await readExample('kubernetes/cronjob.yaml'),
        'type: Opaque\n',
        'type: Opaque\ntype: Opaque\n',
      );
      const { code, stdout } = await yamllint(await write('duplicate-key.yaml', text));
      assert.match(stdout, /duplication of key "type"/);
      assert.equal(code, 1);
    } finally {
      await remove();
    }
  });
});
