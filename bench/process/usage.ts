import { readFile, writeFile } from 'node:fs/promises';
import { readCpuSeconds } from './process-stat.ts';

/** Resource usage of processes since they started. */
export interface Usage {
  readonly cpuSeconds: number;
  /** Bytes that the processes caused to be written to disk: dirtied pages, not writes that a cache absorbed. */
  readonly writtenBytes: number;
}

/** Returns the total usage of these processes; Linux only (proc_pid_io(5)). */
export async function readUsage(pids: readonly number[]): Promise<Usage> {
  const written = await Promise.all(pids.map(readWrittenBytes));
  return {
    cpuSeconds: await readCpuSeconds(pids),
    writtenBytes: written.reduce((sum, each) => sum + each, 0),
  };
}

export function subtractUsage(before: Usage, after: Usage): Usage {
  return {
    cpuSeconds: after.cpuSeconds - before.cpuSeconds,
    writtenBytes: after.writtenBytes - before.writtenBytes,
  };
}

/** Returns the bytes that a process wrote, including terminated and waited-for children. */
export async function readWrittenBytes(pid: number | 'self'): Promise<number> {
  const text = await readFile(`/proc/${pid}/io`, 'utf8');
  return Number(/^write_bytes: (\d+)$/m.exec(text)?.[1]);
}

/** Returns the peak resident memory in MiB since the start of the process or the last `resetPeak`. */
export async function readPeakMiB(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1]) / 1024;
}

/** Resets the peak resident memory (proc_pid_clear_refs(5)). */
export async function resetPeak(pid: number): Promise<void> {
  await writeFile(`/proc/${pid}/clear_refs`, '5');
}
