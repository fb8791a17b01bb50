import type { Logger } from 'pino';
import type { BlobStore } from './blob-store/blob-store.ts';
import { bindStore } from './blob-store/blob-store-marker.ts';
import { openBlobStore } from './blob-store/open-blob-store.ts';
import { startApi } from './components/api.ts';
import type { RunningComponent, StartComponent } from './components/component.ts';
import { startWorkers } from './components/workers.ts';
import type { Config } from './config.ts';
import { type Database, openConnection } from './db/connect.ts';
import { type OpenDatabase, openServiceDatabase } from './db/open-database.ts';
import { type FirstTenant, firstStart } from './first-start.ts';
import { checkBlobs } from './operations/health/check-blobs.ts';
import { checkDatabase } from './operations/health/check-database.ts';
import { Health } from './operations/health/health.ts';
import { registerDiskMetrics } from './operations/metrics/disk-metrics.ts';
import { createMetrics, type Metrics } from './operations/metrics/metrics.ts';
import { registerQueueMetrics } from './operations/metrics/queue-metrics.ts';
import { type Operations, startOperationsServer } from './operations/operations.ts';
import { openTracing } from './operations/traces/open-tracing.ts';
import type { Role } from './role.ts';

export interface RunningServer {
  /** The address listened on; `undefined` where the role answers no requests. */
  readonly url: string | undefined;
  /** Where metrics and health have a port of their own. */
  readonly operationsUrl: string | undefined;
  /** Made on the first start of an empty embedded database. */
  readonly firstTenant: FirstTenant | undefined;
  readonly database: OpenDatabase;
  /** Makes the process not ready and closes each connection after its next response; requests are accepted until `stop`. */
  drain(): void;
  /** Lets running requests and frames finish, for a while, and gives everything back. */
  stop(): Promise<void>;
}

/** What a process of each role is made of, in the order in which it is started. */
const PARTS: Readonly<Record<Role, readonly StartComponent[]>> = {
  api: [startApi],
  worker: [startWorkers],
  all: [startApi, startWorkers],
};

async function assertTogether(database: Database, blobs: BlobStore): Promise<void> {
  const client = await openConnection(database, { applicationName: 'sluice start' });
  try {
    await bindStore(client, blobs);
  } finally {
    await client.end();
  }
}

/** Brings the database and the parts of a role up. What was started is stopped when one of them fails. */
export async function startServer(role: Role, config: Config, log: Logger): Promise<RunningServer> {
  await using started = new AsyncDisposableStack();
  const database = await openServiceDatabase(config, (message) => log.info(message));
  started.defer(() => database.close());
  const metrics = createMetrics();
  const blobs = await openBlobStore(config.blobStore, (report) => metrics.blobs.add(report));
  await blobs.prepare();
  await assertTogether(database.database, blobs);
  const operations = await prepareOperations(config, metrics, database, blobs, log);
  started.defer(() => operations.tracing.stop());
  // Stopped after the parts: as long as they take, somebody may ask how it stands.
  const { operationsPort } = config;
  const operationsServer =
    operationsPort === undefined
      ? undefined
      : await startOperationsServer(operations, { ...config, operationsPort });
  started.defer(async () => operationsServer?.stop());
  const parts: RunningComponent[] = [];
  // All at the same time: together they take no longer than the slowest of them.
  started.defer(async () => {
    await Promise.all(parts.map((part) => part.stop()));
  });
  for (const start of PARTS[role]) parts.push(await start({ config, database, blobs, log, operations }));
  // Not before the port is ours: a start that fails after it would have made a key that nobody gets to see.
  const firstTenant = database.embedded ? await firstStart(database.database) : undefined;
  operations.health.started();

  const running = started.move();
  return {
    url: parts.find((part) => part.url !== undefined)?.url,
    operationsUrl: operationsServer?.url,
    firstTenant,
    database,
    drain: () => operations.health.stop(),
    stop: () => {
      operations.health.stop();
      return running.disposeAsync();
    },
  };
}

/** What every role can be asked, before its parts add their own. */
async function prepareOperations(
  config: Config,
  metrics: Metrics,
  { database, embedded }: OpenDatabase,
  blobs: BlobStore,
  log: Logger,
): Promise<Operations> {
  registerQueueMetrics(metrics.registry, database, log);
  registerDiskMetrics(metrics.registry, foldersOf(config, embedded), log);
  const health = new Health(log);
  health.add('database', await checkDatabase(database));
  health.add('blob_store', checkBlobs(blobs));
  return { metrics, health, tracing: await openTracing(config.tracesUrl, log) };
}

/** The folders in which this process stores data, by volume name. */
function foldersOf({ blobStore, dataDir }: Config, isEmbedded: boolean): Record<string, string> {
  return {
    ...(blobStore.type === 'file' && { blob_store: blobStore.folder }),
    ...(isEmbedded && { database: dataDir }),
  };
}
