import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { until } from './until.ts';

/** What a process has printed, and its exit code; null where a signal ended it. */
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

/** A process that leads a process group of its own, as a shell starts it. */
export interface StartedProcess {
  readonly pid: number;
  /** All that it has printed so far. */
  readonly output: { stdout: string; stderr: string };
  /** Its exit code; others may still hold its output. */
  readonly exited: Promise<number | null>;
  /** When it has ended and all that it printed has come. */
  readonly ended: Promise<Ended>;
  /** Waits until it has printed this; throws where it ends without. */
  readonly printed: (pattern: RegExp) => Promise<RegExpExecArray>;
  readonly signal: (name: NodeJS.Signals) => void;
  /** To all of its group, as Ctrl-C in a terminal does; fine where nobody is left. */
  readonly signalGroup: (name: NodeJS.Signals) => void;
  /** Whether anybody of its group still lives. */
  readonly groupLives: () => boolean;
}

export function startProcess(
  file: string,
  words: readonly string[],
  options: ProcessOptions = {},
): StartedProcess {
  const child = spawn(file, words, { ...options, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
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
    // Where it could not be started, `exited` says so.
    pid: child.pid ?? 0,
    output,
    exited,
    ended,
    printed: (pattern) =>
      until(async () => {
        const found = pattern.exec(output.stdout) ?? pattern.exec(output.stderr);
        if (found === null && closed)
          throw new Error(`it ended without ${pattern}: ${JSON.stringify(output)}`);
        return found ?? undefined;
      }),
    signal: (name) => child.kill(name),
    signalGroup: (name) => signalGroup(child.pid, name),
    groupLives: () => signalGroup(child.pid, 0),
  };
}

/** Runs a command to its end, whatever its exit code is. */
export async function run(
  file: string,
  words: readonly string[],
  options: ProcessOptions = {},
): Promise<Ended> {
  return await startProcess(file, words, options).ended;
}

function signalGroup(leader: number | undefined, signal: NodeJS.Signals | 0): boolean {
  return leader !== undefined && signalTo(-leader, signal);
}

/** Sends a signal to a process, or to the group of one below zero; false where nobody is there. */
export function signalTo(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, signal);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ESRCH') return false;
    throw error;
  }
}
