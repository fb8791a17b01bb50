import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';

import { runProgram } from '../../src/cli/program.ts';
import { type Output, Screen } from '../../src/terminal/screen.ts';

const BIN = fileURLToPath(new URL('../../bin/scanner.js', import.meta.url));

export interface RunResult {
  /** `null` if a signal ended the process. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunOptions {
  /** Variables to set in addition to PATH. No other variables are inherited from this process. */
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** Called after the process has started. */
  readonly started?: (child: ChildProcess) => void;
}

/** Runs are queued, because each run changes the working directory of this process. */
let lastRun: Promise<unknown> = Promise.resolve();

/** Runs `scanner ...` in this process. Environment variables that Node.js or Commander reads have no effect. */
export async function runProgramHere(
  args: readonly string[],
  options: Omit<RunOptions, 'started'> = {},
): Promise<RunResult> {
  const run = lastRun.then(() => runInFolder(args, options));
  lastRun = run.catch(() => undefined);
  return await run;
}

async function runInFolder(
  args: readonly string[],
  { env = {}, cwd = tmpdir() }: Omit<RunOptions, 'started'>,
): Promise<RunResult> {
  const output = { stdout: '', stderr: '' };
  const collect = (name: keyof typeof output): Output => ({
    write: (text: string | Uint8Array) => {
      output[name] += typeof text === 'string' ? text : Buffer.from(text).toString();
      return true;
    },
  });
  const stdout = collect('stdout');
  process.chdir(cwd);
  try {
    const screen = new Screen(stdout, collect('stderr'));
    const code = await runProgram(args, { env, stdin: Readable.from([]), stdout, screen, version: '0.0.0' });
    return { code, ...output };
  } finally {
    // The working directory may already have been removed.
    process.chdir(tmpdir());
  }
}

/** Runs `scanner ...` in a separate process and resolves with its output, regardless of its exit code. */
export async function runScanner(args: readonly string[], options: RunOptions = {}): Promise<RunResult> {
  const { env = {}, cwd = tmpdir(), started } = options;
  const child = spawn(process.execPath, [BIN, ...args], {
    cwd,
    env: { ...runEnvironment(), ...env },
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

/** PATH and the variables that the test runner sets for all Node.js processes. */
function runEnvironment(): NodeJS.ProcessEnv {
  const { PATH, NODE_COMPILE_CACHE, NODE_OPTIONS, NODE_V8_COVERAGE } = process.env;
  return {
    PATH,
    ...(NODE_COMPILE_CACHE && { NODE_COMPILE_CACHE }),
    ...(NODE_OPTIONS && { NODE_OPTIONS }),
    ...(NODE_V8_COVERAGE && { NODE_V8_COVERAGE }),
  };
}

/** Creates a folder with these files. Call `remove` to delete it. */
export async function makeFolder(files: Readonly<Record<string, string>> = {}) {
  const folder = await mkdtemp(path.join(tmpdir(), 'scanner-test-'));
  for (const [name, content] of Object.entries(files)) await writeFile(path.join(folder, name), content);
  return { folder, remove: () => rm(folder, { recursive: true, force: true }) };
}
