import { readdir, readFile } from 'node:fs/promises';

/** Of `sysconf(_SC_CLK_TCK)`, which is this on every Linux that Node runs on. */
const TICKS_PER_SECOND = 100;

/** What the system says of a process (proc_pid_stat(5)); Linux only. Processor time is in seconds, user and kernel mode. */
export interface ProcessStat {
  /** Of its program; a thread's own name. */
  readonly name: string;
  readonly parent: number;
  readonly cpuSeconds: number;
  /** Of its children that have ended and were waited for. */
  readonly endedChildrenCpuSeconds: number;
}

export async function readProcessStat(pid: number | 'self'): Promise<ProcessStat> {
  return await readStat(`/proc/${pid}/stat`);
}

/** Of each thread of a process; processor time is that of the thread alone. */
export async function readThreadStats(pid: number): Promise<ProcessStat[]> {
  const threads = await readdir(`/proc/${pid}/task`);
  return await Promise.all(threads.map((thread) => readStat(`/proc/${pid}/task/${thread}/stat`)));
}

async function readStat(file: string): Promise<ProcessStat> {
  const text = await readFile(file, 'utf8');
  // The name in parentheses, the second field, may hold blanks; behind it comes the third.
  const [, name = '', rest = ''] = /^\d+ \((.*)\) (.*)$/s.exec(text) ?? [];
  const fields = rest.split(' ');
  // Counted from 1, as the manual does.
  const field = (number: number) => Number(fields[number - 3]);
  return {
    name,
    parent: field(4),
    cpuSeconds: (field(14) + field(15)) / TICKS_PER_SECOND,
    endedChildrenCpuSeconds: (field(16) + field(17)) / TICKS_PER_SECOND,
  };
}

/** The processor time that these processes have used so far, in seconds. */
export async function readCpuSeconds(pids: readonly number[]): Promise<number> {
  const all = await Promise.all(pids.map(readProcessStat));
  return all.reduce((sum, { cpuSeconds }) => sum + cpuSeconds, 0);
}
