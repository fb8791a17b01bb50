import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';
import { type Ended, run } from '../packages/server/test/support/process.ts';

/** uv is much faster than pip, which takes minutes to install Prowler. */
const UV = 'uv==0.13.9';
export const CACHE = path.join(
  process.env.XDG_CACHE_HOME || path.join(homedir(), '.cache'),
  'sluice',
  'peers',
);

/** A virtual environment with locked packages. */
export interface PythonEnvironment {
  /** Returns the path of a program in the environment. */
  readonly program: (name: string) => string;
}

/**
 * Installs and caches the packages of `<name>.txt`. Returns the reason if that is not possible, for example without Python or
 * access to PyPI.
 */
export async function pythonEnvironment(name: string): Promise<PythonEnvironment | string> {
  const lock = path.join(import.meta.dirname, `${name}.txt`);
  const hash = createHash('sha256')
    .update(UV)
    .update(await readFile(lock))
    .digest('hex');
  const folder = path.join(CACHE, `${name}-${hash.slice(0, 16)}`);
  const program = (name: string) => path.join(folder, 'bin', name);
  if (existsSync(program('python'))) return { program };
  const building = `${folder}.${process.pid}`;
  await mkdir(CACHE, { recursive: true });
  try {
    const failure =
      (await runAndGetFailure('python3', ['-m', 'venv', '--copies', `${building}.uv`])) ??
      (await runAndGetFailure(`${building}.uv/bin/pip`, [
        'install',
        '--quiet',
        '--disable-pip-version-check',
        UV,
      ])) ??
      // Programs contain the path of the environment, so it is created in its final folder and moved away after a failure.
      (await runAndGetFailure(`${building}.uv/bin/uv`, ['venv', '--quiet', '--clear', folder])) ??
      (await runAndGetFailure(`${building}.uv/bin/uv`, [
        ...['pip', 'sync', '--quiet', '--python', `${folder}/bin/python`, lock],
      ]));
    if (failure === undefined) return { program };
    if (existsSync(folder)) await rename(folder, building);
    return `${name} can't be installed: ${failure}`;
  } finally {
    for (const leftover of [building, `${building}.uv`]) await rm(leftover, { recursive: true, force: true });
  }
}

/** Runs a command. Returns the last line of its output if it fails, or `undefined`. */
async function runAndGetFailure(file: string, args: readonly string[]): Promise<string | undefined> {
  const ended = await run(file, args).catch((error: unknown) => String(error));
  if (typeof ended === 'string') return ended;
  if (ended.code === 0) return undefined;
  return lastLine(ended) ?? `${file} exited with ${ended.code}`;
}

function lastLine({ stdout, stderr }: Ended): string | undefined {
  return `${stdout}\n${stderr}`
    .split('\n')
    .map((line) => line.trim())
    .findLast((line) => line !== '');
}
