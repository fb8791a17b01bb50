import { readWrittenBytes } from '../process/usage.ts';

/** Called in the process of a baseline. Runs `work`, which returns the record count, and prints the cost. */
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
