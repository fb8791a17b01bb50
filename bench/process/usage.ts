import { readFile, writeFile } from 'node:fs/promises';
import { readCpuSeconds } from './process-stat.ts';

/** What processes have used since they began. */
export interface Usage {
  readonly cpuSeconds: number;
  /** What they have made the system write to disks: pages that they made dirty, not what a cache has taken in. */
  readonly writtenBytes: number;
}

/** Of these processes together; Linux only (proc_pid_io(5)). */
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

/** With that of the children that have ended and were waited for. */
export async function readWrittenBytes(pid: number | 'self'): Promise<number> {
  const text = await readFile(`/proc/${pid}/io`, 'utf8');
  return Number(/^write_bytes: (\d+)$/m.exec(text)?.[1]);
}

/** Peak resident memory in MiB, since the process began or its peak was forgotten. */
export async function peakMiB(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1]) / 1024;
}

/** From here on the peak is that of what follows (proc_pid_clear_refs(5)). */
export async function resetPeak(pid: number): Promise<void> {
  await writeFile(`/proc/${pid}/clear_refs`, '5');
}
