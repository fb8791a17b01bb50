import Fastify from 'fastify';
import type { Logger } from 'pino';
import type { BlobStore } from '../blobs/blob-store.ts';
import { bindStore } from '../blobs/blob-store-marker.ts';
import { openBlobStore } from '../blobs/open-blob-store.ts';
import type { Config } from '../config/config.ts';
import { type Database, openConnection } from '../db/connect.ts';
import { type OpenDatabase, openServiceDatabase } from '../db/open-database.ts';
import { checkBlobs, checkDatabase, Health, registerHealth } from '../observability/health.ts';
import { registerDiskMetrics } from '../observability/metrics/disk-metrics.ts';
import { createMetrics, type Metrics, registerMetrics } from '../observability/metrics/metrics.ts';
import { registerQueueMetrics } from '../observability/metrics/queue-metrics.ts';
import type { Operations } from '../observability/operations.ts';
import { openTracing } from '../observability/traces/tracing.ts';
import { startApi } from './api.ts';
import type { Role, RunningComponent, StartComponent } from './component.ts';
import { type FirstTenant, firstStart } from './first-start.ts';
import { listen } from './listen.ts';
import { startWorkers } from './workers.ts';

export interface RunningServer {
  /** The URL of the API. `undefined` if the role does not include the API. */
  readonly url: string | undefined;
  /** The URL of metrics and health checks, if they are served on a separate port. */
  readonly operationsUrl: string | undefined;
  /** The tenant that was created on the first start with an empty embedded database. */
  readonly firstTenant: FirstTenant | undefined;
  readonly database: OpenDatabase;
  /**
   * Makes the readiness check fail, and closes each connection after its next response. Requests are accepted until
   * `stop` is called.
   */
  drain(): void;
  /** Waits for requests and frames in progress, up to a time limit, and then releases all resources. */
  stop(): Promise<void>;
}

/** The components of each role, in start order. */
const COMPONENTS: Readonly<Record<Role, readonly StartComponent[]>> = {
  api: [startApi],
  worker: [startWorkers],
  all: [startApi, startWorkers],
};

/**
 * Opens the database and starts the components of a role. If a component fails to start, stops the components that are
 * already running.
 */
export async function startServer(role: Role, config: Config, log: Logger): Promise<RunningServer> {
  await using started = new AsyncDisposableStack();
  const database = await openServiceDatabase(config, (message) => log.info(message));
  started.defer(() => database.close());
  const metrics = createMetrics();
  const blobs = await openBlobStore(config.blobStore, (report) => metrics.blobs.add(report));
  await blobs.prepare();
  await bindBlobStore(database.database, blobs);
  const operations = await prepareOperations(config, metrics, database, blobs, log);
  started.defer(() => operations.tracing.stop());
  // The operations server is stopped last, so that health checks work during the shutdown.
  const { operationsPort } = config;
  const operationsServer =
    operationsPort === undefined
      ? undefined
      : await startOperationsServer(operations, { ...config, operationsPort });
  started.defer(async () => operationsServer?.stop());
  const components: RunningComponent[] = [];
  // The components are stopped concurrently, so that the shutdown takes no longer than the slowest component.
  started.defer(async () => {
    await Promise.all(components.map((component) => component.stop()));
  });
  const findUrl = () => components.find(({ url }) => url !== undefined)?.url;
  for (const start of COMPONENTS[role])
    components.push(await start({ config, database, blobs, log, operations, apiUrl: findUrl() }));
  // Create the key only after the port has been bound. Otherwise, if the server failed to start, the key would never be
  // displayed.
  const firstTenant = database.embedded ? await firstStart(database.database) : undefined;
  operations.health.started();

  const running = started.move();
  return {
    url: findUrl(),
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

async function bindBlobStore(database: Database, blobs: BlobStore): Promise<void> {
  const client = await openConnection(database, { applicationName: 'sluice start' });
  try {
    await bindStore(client, blobs);
  } finally {
    await client.end();
  }
}

/** Sets up the metrics and health checks that all roles have. Components add more. */
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

/** Returns the directories in which this process stores data, by volume name. */
function foldersOf({ blobStore, dataDir }: Config, isEmbedded: boolean): Record<string, string> {
  return {
    ...(blobStore.type === 'file' && { blob_store: blobStore.folder }),
    ...(isEmbedded && { database: dataDir }),
  };
}

/** Serves metrics and health checks on a separate port, for operators only. */
async function startOperationsServer(
  { metrics, health }: Operations,
  { host, operationsPort: port }: Config & { readonly operationsPort: number },
): Promise<{ readonly url: string; stop(): Promise<void> }> {
  const app = Fastify({ return503OnClosing: false, forceCloseConnections: true });
  registerHealth(app, health);
  registerMetrics(app, metrics.registry);
  const url = await listen(app, { host, port }, 'SLUICE_OPERATIONS_PORT');
  return { url, stop: () => app.close() };
}
