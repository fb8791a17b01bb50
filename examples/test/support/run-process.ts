import { spawn } from 'node:child_process';
import { once } from 'node:events';

export interface Ended {
  /** `null` if a signal terminated the process. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface ProcessOptions {
  readonly cwd?: string;
  /** The complete environment. Variables of this process are not inherited. */
  readonly env?: Readonly<Record<string, string | undefined>>;
}

/** Runs a program and returns its exit code and output. Throws if the program can't be started. */
export async function runProcess(
  program: string,
  args: readonly string[],
  { cwd, env = { PATH: process.env.PATH } }: ProcessOptions = {},
): Promise<Ended> {
  const child = spawn(program, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
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

/** Returns the `skip` option of tests that require a system program: `false`, or the reason to skip them. */
export async function getProgramSkipReason(program: string): Promise<string | false> {
  const { code } = await runProcess('sh', ['-c', 'command -v "$0"', program]);
  return code === 0 ? false : `requires ${program}; run apt-get install ${program}`;
}
