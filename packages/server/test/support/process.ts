import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { until } from './until.ts';

/** The output of a process, and its exit code; null if a signal ended it. */
export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface ProcessOptions {
  readonly env?: NodeJS.ProcessEnv;
  readonly cwd?: string;
  readonly uid?: number;
  readonly gid?: number;
}

/** A process that leads a separate process group, as if started by a shell. */
export interface StartedProcess {
  readonly pid: number;
  /** The output so far. */
  readonly output: { stdout: string; stderr: string };
  /** Resolves with the exit code. Other processes may still hold the output open. */
  readonly exited: Promise<number | null>;
  /** Resolves when the process has exited and all of its output was received. */
  readonly ended: Promise<Ended>;
  /** Waits until the process has printed this text. Throws if the process exits first. */
  readonly printed: (pattern: RegExp) => Promise<RegExpExecArray>;
  readonly signal: (name: NodeJS.Signals) => void;
  /** Sends a signal to the process group, like Ctrl-C in a terminal. Does nothing if the group is empty. */
  readonly signalGroup: (name: NodeJS.Signals) => void;
  /** Whether any process in the group is still running. */
  readonly groupLives: () => boolean;
}

export function startProcess(
  file: string,
  args: readonly string[],
  options: ProcessOptions = {},
): StartedProcess {
  const child = spawn(file, args, { ...options, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  const output = { stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output.stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    output.stderr += text;
  });
  let closed = false;
  const exited = once(child, 'exit').then(() => child.exitCode);
  const ended = once(child, 'close').then(() => {
    closed = true;
    return { code: child.exitCode, ...output };
  });
  return {
    // If the process could not be started, `exited` rejects.
    pid: child.pid ?? 0,
    output,
    exited,
    ended,
    printed: (pattern) =>
      until(async () => {
        const found = pattern.exec(output.stdout) ?? pattern.exec(output.stderr);
        if (found === null && closed)
          throw new Error(`the process exited without printing ${pattern}: ${JSON.stringify(output)}`);
        return found ?? undefined;
      }),
    signal: (name) => child.kill(name),
    signalGroup: (name) => signalGroup(child.pid, name),
    groupLives: () => signalGroup(child.pid, 0),
  };
}

/** Runs a command to completion, regardless of the exit code. */
export async function run(
  file: string,
  args: readonly string[],
  options: ProcessOptions = {},
): Promise<Ended> {
  return await startProcess(file, args, options).ended;
}

function signalGroup(leader: number | undefined, signal: NodeJS.Signals | 0): boolean {
  return leader !== undefined && signalTo(-leader, signal);
}

/** Sends a signal to a process, or to a process group if negative. Returns false if there is no such process. */
export function signalTo(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, signal);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ESRCH') return false;
    throw error;
  }
}
