import { createHash } from 'node:crypto';
import { readFile, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';
import { installOnce } from '../packages/server/test/support/install-once.ts';
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
  const folder = path.join(CACHE, `python-${name}-${hash.slice(0, 16)}`);
  const program = (name: string) => path.join(folder, 'bin', name);
  const reason = await installOnce(folder, async (building) => await install(lock, building));
  return reason === undefined ? { program } : `${name} can't be installed: ${reason}`;
}

/** Installs the locked packages in a new folder. Returns the reason if that fails. */
async function install(lock: string, folder: string): Promise<string | undefined> {
  const tools = `${folder}.uv`;
  const uv = `${tools}/bin/uv`;
  try {
    return (
      (await runAndGetFailure('python3', ['-m', 'venv', '--copies', tools])) ??
      (await runAndGetFailure(`${tools}/bin/pip`, [
        'install',
        '--quiet',
        '--disable-pip-version-check',
        UV,
      ])) ??
      // Relocatable, because the folder is renamed afterwards.
      (await runAndGetFailure(uv, ['venv', '--quiet', '--relocatable', folder])) ??
      (await runAndGetFailure(uv, ['pip', 'sync', '--quiet', '--python', `${folder}/bin/python`, lock]))
    );
  } finally {
    await rm(tools, { recursive: true, force: true });
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
