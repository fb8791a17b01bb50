import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

export const CHECKOUT = fileURLToPath(new URL('../..', import.meta.url));

const MAX_OUTPUT_BYTES = 2 ** 26;

/** Runs a program in a folder and returns its stdout. Throws an error with the output if the program fails. */
export async function run(program, args, cwd) {
  const { stdout } = await promisify(execFile)(program, args, { cwd, maxBuffer: MAX_OUTPUT_BYTES });
  return stdout;
}
