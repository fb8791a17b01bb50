import { availableParallelism } from 'node:os';
import { createDeployment, createTenantKey } from '../../packages/server/test/support/deployment.ts';
import { createSandbox } from '../../packages/server/test/support/sandbox.ts';
import type { Scans } from '../generate-scans.ts';
import { NO_SIZE_LIMITS } from '../no-size-limits.ts';
import type { Cost } from '../process/measure.ts';
import { readPeakMiB, readUsage, subtractUsage, type Usage } from '../process/usage.ts';
import { pidOf } from '../service.ts';
import { measureIngestion } from './measure-ingestion.ts';

/** Resource usage of an API process and a worker process, and of both together with PostgreSQL. */
export interface RoleCosts {
  readonly together: Cost;
  readonly api: RoleCost;
  readonly worker: RoleCost;
}

export interface RoleCost extends Usage {
  readonly peakMiB: number;
}

export interface RoleScans {
  readonly fresh: RoleCosts;
  readonly repeated: RoleCosts;
}

/** Ingests both scans with an API process and a worker process that share one PostgreSQL and one folder. */
export async function ingestByRole({ fresh, repeated }: Scans): Promise<RoleScans> {
  const sandbox = createSandbox();
  try {
    const host = await sandbox.startService({ SLUICE_WORKERS: '1' });
    const { startApi, startWorker } = await createDeployment(sandbox, host);
    const api = await startApi(NO_SIZE_LIMITS);
    const worker = await startWorker({
      ...NO_SIZE_LIMITS,
      // The default of a single-process service.
      SLUICE_WORKERS: String(Math.max(1, availableParallelism() - 1)),
    });
    const keys = [await createTenantKey(api)];
    const ingest = async (file: Scans['fresh']): Promise<RoleCosts> => {
      const apiSoFar = await readUsage([pidOf(api)]);
      const workerSoFar = await readUsage([worker.pid]);
      const together = await measureIngestion([pidOf(api), worker.pid], api, { keys, file });
      return {
        together,
        api: await costSince(apiSoFar, pidOf(api)),
        worker: await costSince(workerSoFar, worker.pid),
      };
    };
    return { fresh: await ingest(fresh), repeated: await ingest(repeated) };
  } finally {
    await sandbox.clear();
  }
}

async function costSince(before: Usage, pid: number): Promise<RoleCost> {
  return { ...subtractUsage(before, await readUsage([pid])), peakMiB: await readPeakMiB(pid) };
}
