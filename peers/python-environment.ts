import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';
import { type Ended, run } from '../packages/server/test/support/process.ts';

/** Installs packages faster than pip, which takes minutes for Prowler. */
const UV = 'uv==0.13.9';
export const CACHE = path.join(
  process.env.XDG_CACHE_HOME || path.join(homedir(), '.cache'),
  'sluice',
  'peers',
);

/** Locked packages in a virtual environment. */
export interface PythonEnvironment {
  /** The path of a program that a package installs. */
  readonly program: (name: string) => string;
}

/**
 * Installs the packages of `<name>.txt` once: a later call with the same file finds them in the cache. Resolves with the reason
 * as a sentence where that is not possible, such as without Python or access to PyPI.
 */
export async function pythonEnvironment(name: string): Promise<PythonEnvironment | string> {
  const lock = path.join(import.meta.dirname, `${name}.txt`);
  const hash = createHash('sha256')
    .update(UV)
    .update(await readFile(lock))
    .digest('hex');
  const folder = path.join(CACHE, `${name}-${hash.slice(0, 16)}`);
  const program = (of: string) => path.join(folder, 'bin', of);
  if (existsSync(program('python'))) return { program };
  const building = `${folder}.${process.pid}`;
  await mkdir(CACHE, { recursive: true });
  try {
    const fault =
      (await failureOf('python3', ['-m', 'venv', '--copies', `${building}.uv`])) ??
      (await failureOf(`${building}.uv/bin/pip`, [
        'install',
        '--quiet',
        '--disable-pip-version-check',
        UV,
      ])) ??
      // Programs of the environment name its folder, so it is made in its final place and moved away if it fails.
      (await failureOf(`${building}.uv/bin/uv`, ['venv', '--quiet', '--clear', folder])) ??
      (await failureOf(`${building}.uv/bin/uv`, [
        ...['pip', 'sync', '--quiet', '--python', `${folder}/bin/python`, lock],
      ]));
    if (fault === undefined) return { program };
    if (existsSync(folder)) await rename(folder, building);
    return `${name} cannot be installed: ${fault}`;
  } finally {
    for (const left of [building, `${building}.uv`]) await rm(left, { recursive: true, force: true });
  }
}

/** The last line that a failed command printed; `undefined` where it succeeded. */
async function failureOf(file: string, words: readonly string[]): Promise<string | undefined> {
  const ended = await run(file, words).catch((error: unknown) => String(error));
  if (typeof ended === 'string') return ended;
  if (ended.code === 0) return undefined;
  return lastLine(ended) ?? `${file} ended with ${ended.code}`;
}

function lastLine({ stdout, stderr }: Ended): string | undefined {
  return `${stdout}\n${stderr}`
    .split('\n')
    .map((line) => line.trim())
    .findLast((line) => line !== '');
}
