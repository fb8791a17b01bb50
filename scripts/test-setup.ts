import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Database } from '../packages/server/src/db/connect.ts';
import { findServerBinaries } from '../packages/server/src/db/embedded/server-binaries.ts';
import { migrate } from '../packages/server/src/db/migrate.ts';
import {
  createDistributedDatabase,
  getCitusSkipReason,
  stopCitusClusters,
} from '../packages/server/test/support/citus.ts';
import { publishSharedFolder } from '../packages/server/test/support/embedded-template.ts';
import { publishLanes, startLane } from '../packages/server/test/support/lanes.ts';
import { startPostgresql } from '../packages/server/test/support/own-postgresql.ts';
import { createTemplate, publishCluster } from '../packages/server/test/support/run-cluster.ts';
import { createSandbox } from '../packages/server/test/support/sandbox.ts';

/** The locale of the embedded PostgreSQL. */
const LOCALE = ['--no-locale', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'];
/** Durability is disabled, because no data needs to survive a test run. */
const SETTINGS = {
  full_page_writes: 'off',
  synchronous_commit: 'off',
  max_connections: '400',
  shared_buffers: '256MB',
  work_mem: '8MB',
  random_page_cost: '1.1',
  max_parallel_workers_per_gather: '0',
  max_parallel_maintenance_workers: '0',
  jit: 'off',
  max_wal_size: '2GB',
  timezone: 'UTC',
};

const started = new AsyncDisposableStack();

/** Runs once before all test files (`--test-global-setup`). Starts one PostgreSQL cluster and one service per lane. */
export async function globalSetup(): Promise<void> {
  const { postgres } = await findServerBinaries();
  const cluster = await startPostgresql(path.dirname(postgres), { initdb: LOCALE, settings: SETTINGS });
  started.defer(() => cluster.remove());
  publishCluster(cluster.url('postgres'));
  await createTemplate(migrate);
  const folder = await mkdtemp(path.join(tmpdir(), 'sluice-run-'));
  started.defer(() => rm(folder, { recursive: true, force: true }));
  // The user of the embedded PostgreSQL must be able to read the folder.
  await chmod(folder, 0o755);
  publishSharedFolder(folder);
  started.defer(stopCitusClusters);
  const sandbox = createSandbox();
  started.defer(() => sandbox.clear());
  const lanes: ReturnType<typeof startLane>[] = [];
  for (let lane = 0; lane < Number(process.env.SLUICE_TEST_CONCURRENCY ?? 1); lane++)
    lanes.push(startLane(sandbox, await createLaneDatabase()));
  publishLanes(await Promise.all(lanes));
}

/** In two lanes, the services use distributed databases. */
async function createLaneDatabase(): Promise<Database | undefined> {
  const lane = process.env.SLUICE_TEST_LANE ?? '';
  const isDistributed = ['citus', 'distributed'].includes(lane) && getCitusSkipReason() === undefined;
  return isDistributed ? await createDistributedDatabase() : undefined;
}

export async function globalTeardown(): Promise<void> {
  await started.disposeAsync();
}
