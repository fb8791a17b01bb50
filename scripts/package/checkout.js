import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

export const CHECKOUT = fileURLToPath(new URL('../..', import.meta.url));

const MAX_OUTPUT_BYTES = 2 ** 26;

/** Runs a program in a folder, and resolves with what it printed. Throws an error with all of it. */
export async function run(program, words, cwd) {
  const { stdout } = await promisify(execFile)(program, words, { cwd, maxBuffer: MAX_OUTPUT_BYTES });
  return stdout;
}
