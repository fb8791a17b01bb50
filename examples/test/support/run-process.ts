import { spawn } from 'node:child_process';
import { once } from 'node:events';

export interface Ended {
  /** `null` where a signal ended it. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface ProcessOptions {
  readonly cwd?: string;
  /** All of its environment: nothing of this process's comes along. */
  readonly env?: Readonly<Record<string, string | undefined>>;
}

/** Runs a program to its end, whatever its exit code is. Throws where it cannot be started. */
export async function runProcess(
  program: string,
  words: readonly string[],
  { cwd, env = { PATH: process.env.PATH } }: ProcessOptions = {},
): Promise<Ended> {
  const child = spawn(program, words, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  const output = { stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output.stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    output.stderr += text;
  });
  await once(child, 'close');
  return { code: child.exitCode, ...output };
}

/** `false`, or why a test that needs this program of the system is skipped. */
export async function missing(program: string): Promise<string | false> {
  const { code } = await runProcess('sh', ['-c', 'command -v "$0"', program]);
  return code === 0 ? false : `needs ${program}: apt-get install ${program}`;
}
