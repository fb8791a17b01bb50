import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Returns the path of an installed Node version from 20 to 23, or `undefined`. */
export async function findOlderNode(): Promise<string | undefined> {
  for (const program of ['/usr/bin/node', '/usr/local/bin/node', '/opt/node/bin/node']) {
    const { stdout } = await run(program, ['--version']).catch(() => ({ stdout: '' }));
    if (/^v2[0-3]\./.test(stdout)) return program;
  }
  return undefined;
}
