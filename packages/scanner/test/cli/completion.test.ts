import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { describe, it } from 'node:test';
import { promisify } from 'node:util';
import { runScanner } from './run-scanner.ts';

const script = async (shell: string): Promise<string> => {
  const { code, stdout, stderr } = await runScanner(['completion', shell]);
  assert.deepEqual({ code, stderr }, { code: 0, stderr: '' });
  return stdout;
};

describe('shell completion', () => {
  const bash = script('bash');
  /** Returns the bash completions for the last word. */
  const completions = async (...args: string[]): Promise<string[]> => {
    const program = `${await bash}
COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _scanner; printf '%s\\n' "\${COMPREPLY[@]}"`;
    const { stdout } = await promisify(execFile)('bash', ['--norc', '-c', program, 'bash', ...args]);
    return stdout.split('\n').filter((line) => line !== '');
  };

  it('completes commands, flags and values in bash', async () => {
    assert.deepEqual(await completions('scanner', 'dir'), ['directory']);
    assert.deepEqual(await completions('scanner', 'completion', ''), ['bash', 'zsh', 'fish', '--help', '-h']);
    assert.deepEqual(await completions('scanner', 'directory', '--list-c'), [
      ...['--list-checks', '--list-checks-json', '--list-categories', '--list-compliance'],
    ]);
    assert.deepEqual(await completions('scanner', 'directory', '--services', 'sy'), ['systemlog']);
    assert.deepEqual(await completions('scanner', 'directory', '-M', 'csv', 'h'), ['html']);
    assert.deepEqual(await completions('scanner', 'directory', '-M', 'csv', '--no-c'), ['--no-color']);
    assert.deepEqual(await completions('scanner', 'directory', '--dialect', 'okta', '--verb'), ['--verbose']);
    assert.deepEqual(await completions('scanner', 'push', '--coverage', 'c'), ['checks']);
    assert.deepEqual(await completions('scanner', 'push', '--fail-on', 'h'), ['high']);
    assert.deepEqual(await completions('scanner', 'directory', '--verbose', '-c', 'systemlog'), [
      'systemlog_streaming_enabled',
    ]);
  });

  it('completes all checks and flags in zsh and fish', async () => {
    for (const shell of ['zsh', 'fish']) {
      const text = await script(shell);
      for (const word of [
        'apitoken_not_super_admin',
        'user_inactivity_automation_35d_enabled',
        'list-checks-json',
        'ignore-exit-code-3',
      ])
        assert.ok(text.includes(word), `${shell}: ${word}`);
    }
    assert.match(await script('zsh'), /^#compdef scanner\n/);
  });
});
