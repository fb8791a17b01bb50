import { existsSync, readlinkSync } from 'node:fs';
import { setPriority } from 'node:os';
import path from 'node:path';
import { codeOf } from './errors.ts';

/**
 * A nice value with a lower priority than the thread that handles requests. That thread uses little CPU time but must
 * not be delayed.
 */
const BACKGROUND = 10;

/** A link to "<process>/task/<thread>" of the calling thread (proc_thread-self(5)). */
const THREAD_SELF = '/proc/thread-self';

/**
 * Lowers the scheduling priority of the calling thread. On Linux, each thread has its own priority (sched(7)). On other
 * systems, the priority belongs to the process, so the function does nothing.
 */
export function lowerThreadPriority(): void {
  if (!existsSync(THREAD_SELF)) return;
  // Read synchronously: an asynchronous read would run on another thread.
  setPriority(Number(path.basename(readlinkSync(THREAD_SELF))), BACKGROUND);
}

/** Lowers the priority of another process on this machine. Does nothing if that is not permitted. */
export function lowerProcessPriority(pid: number): void {
  try {
    setPriority(pid, BACKGROUND);
  } catch (error) {
    if (codeOf(error) !== 'ERR_SYSTEM_ERROR') throw error;
  }
}
