import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

/** A script in a separate process. It exits when its standard input closes, and therefore also if this process is killed. */
export interface Child {
  readonly pid: number;
  /** The first line of its output, parsed as JSON. */
  readonly readyMessage: unknown;
  readonly stop: () => Promise<void>;
}

/** Starts a script and waits for its first line of output. */
export async function startChild(script: string, env: NodeJS.ProcessEnv = {}): Promise<Child> {
  const child = spawn(process.execPath, ['--max-old-space-size=16000', script], {
    env: { ...process.env, ...env },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  const lines = createInterface({ input: child.stdout });
  const [line]: unknown[] = await Promise.race([once(lines, 'line'), exited]);
  if (typeof line !== 'string' || child.pid === undefined)
    throw new Error(`${script} exited before it was ready`);
  return {
    pid: child.pid,
    readyMessage: JSON.parse(line),
    stop: async () => {
      child.stdin.end();
      await exited;
    },
  };
}

/** Called by the script. Runs `stop` when standard input closes, then exits. */
export function stopWhenInputEnds(stop: () => Promise<void>): void {
  process.stdin.resume().once('end', () => {
    stop().then(
      () => process.exit(),
      (error: unknown) => {
        console.error(error);
        process.exit(1);
      },
    );
  });
}
