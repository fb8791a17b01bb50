import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { findOlderNode } from '../../../../scripts/find-older-node.ts';

const BIN = fileURLToPath(new URL('../../bin/scanner.js', import.meta.url));
const run = promisify(execFile);

const older = (await findOlderNode()) ?? '';

describe('scanner in a checkout with an older Node.js version', {
  skip: older === '' && 'needs Node.js 20 or 22',
}, () => {
  const scanner = (...args: string[]) =>
    run(older, [BIN, ...args], { env: { PATH: '/usr/bin:/bin' } }).then(
      ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
      ({ code, stdout, stderr }) => ({ code, stdout, stderr }),
    );

  it('runs with the Node.js version installed by npm ci', async () => {
    const { code, stdout, stderr } = await scanner('--version');
    assert.deepEqual({ code, stderr }, { code: 0, stderr: '' });
    assert.match(stdout, /^\d+\.\d+\.\d+\n$/);
  });

  it("forwards the scanner's exit code and error message", async () => {
    const { code, stderr } = await scanner('scan');
    assert.deepEqual({ code, stderr }, { code: 2, stderr: "scanner: unknown command 'scan' [usage]\n" });
  });
});
