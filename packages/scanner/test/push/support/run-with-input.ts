import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import type { RunResult } from '../../cli/run-scanner.ts';
import { KEY } from './run-push.ts';

const BIN = fileURLToPath(new URL('../../../bin/scanner.js', import.meta.url));

export interface InputRun {
  readonly input: string;
  readonly service: { readonly url: string };
  /** The value of TMPDIR for the process. */
  readonly temporary: string;
}

/** Runs `scanner push ...` with standard input. */
export async function runWithInput(
  args: readonly string[],
  { input, service, temporary }: InputRun,
): Promise<RunResult> {
  const child = spawn(process.execPath, [BIN, 'push', ...args], {
    env: {
      PATH: process.env.PATH,
      TMPDIR: temporary,
      SCANNER_CLOUD_API_KEY: KEY,
      SCANNER_CLOUD_RETRIES_MAX_ATTEMPTS: '0',
      SCANNER_CLOUD_API_BASE_URL: service.url,
    },
  });
  // A process that does not read its standard input can exit before all of the input is written.
  child.stdin.on('error', () => child.stdin.destroy()).end(input);
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  assert.doesNotMatch(stdout + stderr, new RegExp(KEY));
  return { code: child.exitCode, stdout, stderr };
}
