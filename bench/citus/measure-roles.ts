import pg from 'pg';
import { findPostmaster, postgresUsage } from '../process/postgres-usage.ts';
import { readUsage } from '../process/usage.ts';

/** The processes whose CPU time is measured. */
export interface Roles {
  /** The process ID of the service. */
  readonly service: number;
  /** The postmaster of the server to which the service connects. */
  readonly coordinator: number;
  /** The postmasters of the nodes that store shards; none for a single server. */
  readonly workers: readonly number[];
}

export interface RoleCost {
  readonly seconds: number;
  /** CPU seconds by role. */
  readonly service: number;
  readonly coordinator: number;
  readonly workers: number;
}

/** Folding of totals and other background work of a completed ingestion is included. */
const REST_MS = 3000;

/** Finds the postmaster of the server with this URL on this machine. */
export async function findPostmasterOf(url: string): Promise<number> {
  return await findPostmaster({
    connect: async () => {
      const client = new pg.Client({ connectionString: url });
      await client.connect();
      return client;
    },
  });
}

/** Measures the duration of `work`, and the CPU time of each role until shortly after its end. */
export async function measureRoles(roles: Roles, work: () => Promise<void>): Promise<RoleCost> {
  const before = await cpuOf(roles);
  const start = performance.now();
  await work();
  const seconds = (performance.now() - start) / 1000;
  await new Promise((resolve) => setTimeout(resolve, REST_MS));
  const after = await cpuOf(roles);
  return {
    seconds,
    service: after.service - before.service,
    coordinator: after.coordinator - before.coordinator,
    workers: after.workers - before.workers,
  };
}

async function cpuOf({ service, coordinator, workers }: Roles): Promise<Omit<RoleCost, 'seconds'>> {
  const usages = await Promise.all(workers.map(postgresUsage));
  return {
    service: (await readUsage([service])).cpuSeconds,
    coordinator: (await postgresUsage(coordinator)).cpuSeconds,
    workers: usages.reduce((sum, { cpuSeconds }) => sum + cpuSeconds, 0),
  };
}
