import { existsSync, readlinkSync } from 'node:fs';
import { setPriority } from 'node:os';
import path from 'node:path';
import { codeOf } from './error-code.ts';

/** "Nicer" than the thread that answers requests, which takes little but should not wait for it. */
const BACKGROUND = 10;

/** A link to "<process>/task/<thread>" of whoever reads it (proc_thread-self(5)). */
const THREAD_SELF = '/proc/thread-self';

/**
 * Puts the calling thread behind the others of the process in the scheduler's eyes. Linux gives every thread a
 * priority of its own (sched(7)); elsewhere it belongs to the process, and nothing is done.
 */
export function lowerThreadPriority(): void {
  if (!existsSync(THREAD_SELF)) return;
  // Read synchronously, so that it is this thread that looks.
  setPriority(Number(path.basename(readlinkSync(THREAD_SELF))), BACKGROUND);
}

/** The same for another process of this machine; where that is not allowed it keeps its priority. */
export function lowerProcessPriority(pid: number): void {
  try {
    setPriority(pid, BACKGROUND);
  } catch (error) {
    if (codeOf(error) !== 'ERR_SYSTEM_ERROR') throw error;
  }
}
