import type { Service } from '../../packages/server/test/support/service.ts';
import { median } from '../median.ts';
import { findPostmaster, postgresUsage } from './postgres-usage.ts';
import { settle } from './settle.ts';
import { peakMiB, readUsage, resetPeak, subtractUsage } from './usage.ts';

/** What a piece of work has cost: its time, its processes, and PostgreSQL. */
export interface Cost {
  readonly seconds: number;
  readonly cpuSeconds: number;
  readonly peakMiB: number;
  readonly writtenBytes: number;
  readonly postgresCpuSeconds: number;
  readonly postgresWrittenBytes: number;
}

/**
 * What work of these processes on a file costs. PostgreSQL writes what it has in memory before and after: so the bytes are
 * those of this work and all of them, and the first change of each page goes to its log as a whole, as it does when
 * the work before was hours ago. That is not in the seconds.
 */
export async function measure(
  pids: readonly number[],
  service: Pick<Service, 'connect' | 'sql'>,
  file: string,
  work: () => Promise<void>,
): Promise<Cost> {
  await Promise.all(pids.map(resetPeak));
  return await measureWithPostgres(service, file, async () => {
    const before = await readUsage(pids);
    const start = performance.now();
    await work();
    const seconds = (performance.now() - start) / 1000;
    const peaks = await Promise.all(pids.map(peakMiB));
    return {
      seconds,
      ...subtractUsage(before, await readUsage(pids)),
      peakMiB: peaks.reduce((sum, each) => sum + each, 0),
    };
  });
}

export type ProcessCost = Omit<Cost, 'postgresCpuSeconds' | 'postgresWrittenBytes'>;

/** Adds what PostgreSQL has used meanwhile. The file that is worked on is in memory when it begins. */
export async function measureWithPostgres(
  service: Pick<Service, 'connect' | 'sql'>,
  file: string,
  work: () => Promise<ProcessCost>,
): Promise<Cost> {
  const postmaster = await findPostmaster(service);
  await service.sql('checkpoint');
  await settle(file);
  const before = await postgresUsage(postmaster);
  const own = await work();
  const { cpuSeconds } = subtractUsage(before, await postgresUsage(postmaster));
  await service.sql('checkpoint');
  const { writtenBytes } = subtractUsage(before, await postgresUsage(postmaster));
  return { ...own, postgresCpuSeconds: cpuSeconds, postgresWrittenBytes: writtenBytes };
}

/** The median of each figure. */
export function medianCost(costs: readonly Cost[]): Cost {
  const of = (value: (cost: Cost) => number) => median(costs.map(value));
  return {
    seconds: of((cost) => cost.seconds),
    cpuSeconds: of((cost) => cost.cpuSeconds),
    peakMiB: of((cost) => cost.peakMiB),
    writtenBytes: of((cost) => cost.writtenBytes),
    postgresCpuSeconds: of((cost) => cost.postgresCpuSeconds),
    postgresWrittenBytes: of((cost) => cost.postgresWrittenBytes),
  };
}
