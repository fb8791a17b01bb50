import { readdir, readFile } from 'node:fs/promises';

/** `sysconf(_SC_CLK_TCK)`, which is 100 on all Linux platforms that Node supports. */
const TICKS_PER_SECOND = 100;

/** Statistics of a process (proc_pid_stat(5)); Linux only. CPU times are in seconds, in user and kernel mode. */
export interface ProcessStat {
  /** The name of the program or thread. */
  readonly name: string;
  readonly parent: number;
  readonly cpuSeconds: number;
  /** CPU time of terminated and waited-for children. */
  readonly endedChildrenCpuSeconds: number;
}

export async function readProcessStat(pid: number | 'self'): Promise<ProcessStat> {
  return await readStat(`/proc/${pid}/stat`);
}

/** Returns the statistics of each thread of a process, with the CPU time of the thread alone. */
export async function readThreadStats(pid: number): Promise<ProcessStat[]> {
  const threads = await readdir(`/proc/${pid}/task`);
  return await Promise.all(threads.map((thread) => readStat(`/proc/${pid}/task/${thread}/stat`)));
}

async function readStat(file: string): Promise<ProcessStat> {
  const text = await readFile(file, 'utf8');
  // The second field, the name in parentheses, can contain spaces; `rest` begins with the third field.
  const [, name = '', rest = ''] = /^\d+ \((.*)\) (.*)$/s.exec(text) ?? [];
  const fields = rest.split(' ');
  // Fields are numbered from 1, as in the manual page.
  const field = (number: number) => Number(fields[number - 3]);
  return {
    name,
    parent: field(4),
    cpuSeconds: (field(14) + field(15)) / TICKS_PER_SECOND,
    endedChildrenCpuSeconds: (field(16) + field(17)) / TICKS_PER_SECOND,
  };
}

/** Returns the total CPU time of these processes, in seconds. */
export async function readCpuSeconds(pids: readonly number[]): Promise<number> {
  const all = await Promise.all(pids.map(readProcessStat));
  return all.reduce((sum, { cpuSeconds }) => sum + cpuSeconds, 0);
}
