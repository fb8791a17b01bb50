import { readWrittenBytes } from '../process/usage.ts';

/** To be called in a baseline's process: does the work and prints what it has cost. The work tells its records. */
export async function reportCost(work: () => Promise<number>): Promise<void> {
  const cpuBefore = process.cpuUsage();
  const writtenBefore = await readWrittenBytes('self');
  const start = performance.now();
  const records = await work();
  const seconds = (performance.now() - start) / 1000;
  const { user, system } = process.cpuUsage(cpuBefore);
  const cost = {
    seconds,
    cpuSeconds: (user + system) / 1e6,
    peakMiB: process.resourceUsage().maxRSS / 1024,
    writtenBytes: (await readWrittenBytes('self')) - writtenBefore,
  };
  console.log(JSON.stringify({ records, cost }));
}
