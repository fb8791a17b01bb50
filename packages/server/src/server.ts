import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { buildApp } from './app.ts';
import { openBlobStore } from './blob-store/open-blob-store.ts';
import type { Config } from './config.ts';
import { createPool } from './db/connect.ts';
import { lockDataDirectory } from './db/data-directory-lock.ts';
import { type OpenDatabase, openDatabase } from './db/open-database.ts';
import { firstStart, type Newcomer } from './first-start.ts';
import { FrameThread } from './frames/frame-thread.ts';
import { removeDeletedProviders } from './jobs/remove-deleted-providers.ts';
import { WorkerPool } from './jobs/worker-pool.ts';
import { OperatorError } from './operator-error.ts';

export interface RunningServer {
  /** The address listened on. */
  readonly url: string;
  /** Made on the first start of an empty embedded database. */
  readonly newcomer: Newcomer | undefined;
  readonly database: OpenDatabase;
  /** Lets running requests and frames finish, for a while, and gives everything back. */
  stop(): Promise<void>;
}

const POOL_SIZE = 10;
/** How long running requests may take to finish after the stop, in milliseconds. */
const DRAIN_MS = 5000;

/** Brings the whole service up: database, schema, workers, API. What was started is stopped when one of them fails. */
export async function startServer(config: Config, log: Logger): Promise<RunningServer> {
  const undo: (() => Promise<unknown>)[] = [];
  const undoAll = async () => {
    for (const step of undo.splice(0).reverse()) await step();
  };
  try {
    const database = await openDatabase(config, (message) => log.info(message));
    undo.push(() => database.close());
    if (database.embedded) {
      const lock = await lockDataDirectory(database.database.url, config.dataDir);
      undo.push(() => lock.end());
    }
    const pool = createPool(database.database, { applicationName: 'sluice api', max: POOL_SIZE });
    pool.on('error', (error) => log.warn({ err: error }, 'an idle database connection was lost'));
    undo.push(() => pool.end());

    const { limits, blobStore } = config;
    const blobs = await openBlobStore(blobStore);
    await blobs.assertUsable();
    const frames = new FrameThread({
      blobStore,
      limits: {
        maxRecordBytes: limits.recordMaxBytes,
        maxDepth: limits.recordMaxDepth,
        maxKeys: limits.recordMaxKeys,
      },
    });
    undo.push(() => frames.stop());
    let address = '';
    const app = buildApp({
      pool,
      blobs,
      frames,
      limits: config.limits,
      log,
      publicUrl: () => config.publicUrl ?? address,
      configuredUrl: config.publicUrl,
    });
    undo.push(async () => {
      const drained = new AbortController();
      const force = sleep(DRAIN_MS, undefined, { signal: drained.signal }).then(
        () => app.server.closeAllConnections(),
        () => undefined,
      );
      await app.close();
      drained.abort();
      await force;
    });
    await listen(app, config);
    address = config.publicUrl ?? addressOf(app.server.address());
    // Not before the port is ours: a start that fails after it would have made a key that nobody gets to see.
    const newcomer = database.embedded ? await firstStart(database.database.url, pool) : undefined;
    const workers = new WorkerPool(
      config.workers,
      {
        database: database.database,
        embedded: database.embedded,
        blobStore,
        limits: config.limits,
        logLevel: config.logLevel,
      },
      log,
    );
    // Before the API is closed: both can finish what they do at the same time.
    undo.push(() => workers.stop());
    const removal = new AbortController();
    const removed = removeDeletedProviders({
      database: database.database,
      embedded: database.embedded,
      log,
      signal: removal.signal,
    });
    undo.push(async () => {
      removal.abort();
      await removed;
    });
    return { url: addressOf(app.server.address()), newcomer, database, stop: undoAll };
  } catch (error) {
    await undoAll();
    throw error;
  }
}

async function listen(app: FastifyInstance, { host, port }: Config): Promise<void> {
  try {
    await app.listen({ host, port });
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    const reason =
      code === 'EADDRINUSE' ? 'it is taken' : error instanceof Error ? error.message : String(error);
    throw new OperatorError(`cannot listen on ${host} port ${port}: ${reason}; set HOST and PORT`, {
      cause: error,
    });
  }
}

function addressOf(address: AddressInfo | string | null): string {
  if (address === null || typeof address === 'string')
    throw new Error('the server does not listen on a TCP port');
  const host = address.family === 'IPv6' ? `[${address.address}]` : address.address;
  return `http://${host}:${address.port}`;
}
