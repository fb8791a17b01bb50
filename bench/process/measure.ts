import type { Service } from '../../packages/server/test/support/service.ts';
import { median } from '../median.ts';
import { findPostmaster, postgresUsage } from './postgres-usage.ts';
import { settle } from './settle.ts';
import { readPeakMiB, readUsage, resetPeak, subtractUsage } from './usage.ts';

/** The cost of an operation: its duration, and the resource usage of its processes and of PostgreSQL. */
export interface Cost {
  readonly seconds: number;
  readonly cpuSeconds: number;
  readonly peakMiB: number;
  readonly writtenBytes: number;
  readonly postgresCpuSeconds: number;
  readonly postgresWrittenBytes: number;
}

/**
 * Measures the cost of `work`, which the processes do on a file. Checkpoints before and after it, outside the measured
 * time, ensure that the written bytes are complete and belong to this work only. After the first checkpoint, PostgreSQL
 * logs the first change to each page as a full page, as it does for an upload that follows an idle period.
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
    const peaks = await Promise.all(pids.map(readPeakMiB));
    return {
      seconds,
      ...subtractUsage(before, await readUsage(pids)),
      peakMiB: peaks.reduce((sum, each) => sum + each, 0),
    };
  });
}

export type ProcessCost = Omit<Cost, 'postgresCpuSeconds' | 'postgresWrittenBytes'>;

/** Adds the resource usage of PostgreSQL. The file is in the page cache when the work begins. */
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

/** Returns the median of each value. */
export function medianCost(costs: readonly Cost[]): Cost {
  const medianOf = (value: (cost: Cost) => number) => median(costs.map(value));
  return {
    seconds: medianOf((cost) => cost.seconds),
    cpuSeconds: medianOf((cost) => cost.cpuSeconds),
    peakMiB: medianOf((cost) => cost.peakMiB),
    writtenBytes: medianOf((cost) => cost.writtenBytes),
    postgresCpuSeconds: medianOf((cost) => cost.postgresCpuSeconds),
    postgresWrittenBytes: medianOf((cost) => cost.postgresWrittenBytes),
  };
}
