import { readFile } from 'node:fs/promises';

/** Of `sysconf(_SC_CLK_TCK)`, which is this on every Linux that Node runs on. */
export const TICKS_PER_SECOND = 100;

/** The processor time, in user and kernel mode, that these processes have used so far (proc_pid_stat(5)); Linux only. */
export async function cpuSeconds(pids: readonly number[]): Promise<number> {
  const ticks = await Promise.all(
    pids.map(async (pid) => {
      const fields = (await readFile(`/proc/${pid}/stat`, 'utf8')).replace(/^.*\) /, '').split(' ');
      // utime and stime, the fourteenth and fifteenth field, of which the first two are cut off.
      return Number(fields[11]) + Number(fields[12]);
    }),
  );
  return ticks.reduce((sum, each) => sum + each, 0) / TICKS_PER_SECOND;
}
