import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const BIN = fileURLToPath(new URL('../../bin/scanner.js', import.meta.url));

export interface Ended {
  /** `null` where a signal ended it. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunOptions {
  /** In addition to a path; nothing else of this process's environment comes along. */
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** Called when the process has started. */
  readonly started?: (child: ChildProcess) => void;
}

/** Runs `scanner ...` to its end, whatever its exit code is. */
export async function runScanner(words: readonly string[], options: RunOptions = {}): Promise<Ended> {
  const { env = {}, cwd = tmpdir(), started } = options;
  const child = spawn(process.execPath, [BIN, ...words], {
    cwd,
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const output = { stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output.stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    output.stderr += text;
  });
  started?.(child);
  await once(child, 'close');
  return { code: child.exitCode, ...output };
}

/** A folder with these files; `remove` it in the end. */
export async function makeFolder(files: Readonly<Record<string, string>> = {}) {
  const folder = await mkdtemp(path.join(tmpdir(), 'scanner-test-'));
  for (const [name, content] of Object.entries(files)) await writeFile(path.join(folder, name), content);
  return { folder, remove: () => rm(folder, { recursive: true, force: true }) };
}
