import type { FastifyInstance } from 'fastify';
import { KeyUsage } from '../auth/key-usage.ts';
import { createPool } from '../db/connect.ts';
import { readFromNodes } from '../db/distribution.ts';
import { NodePools } from '../db/node-pools.ts';
import { FRAMES_CHANNEL, Notifier } from '../db/notifications.ts';
import { allEndpoints } from '../features/all-endpoints.ts';
import { registerConsole, SCANS_PATH } from '../features/console/routes.ts';
import { registerDocs } from '../features/docs/routes.ts';
import { buildApp } from '../http/app.ts';
import { shuttingDown } from '../http/plugins/infrastructure-errors.ts';
import { FrameThread } from '../ingest/frames/frame-thread.ts';
import { registerPoolMetrics } from '../observability/metrics/pool-metrics.ts';
import type { StartComponent } from './component.ts';
import { listen } from './listen.ts';

/** For API keys, uploads, jobs and changes. Separate pools are used to read and to export findings. */
const POOL_SIZE = 8;
/** An export holds its connection until the client has received it. */
const EXPORTS_AT_ONCE = 4;
/** Time limit for uploads during a shutdown, in milliseconds. Unfinished uploads are then rejected. */
const UPLOAD_CUTOFF_MS = 4000;
/** Time limit for requests in progress during a shutdown, in milliseconds. */
const DRAIN_MS = 5000;

/** Starts the HTTP server, which stores uploads and does not process frames. */
export const startApi: StartComponent = async ({ config, database, blobs, log, operations }) => {
  await using started = new AsyncDisposableStack();
  const { limits, blobStore } = config;
  const openPool = (applicationName: string, max: number) => {
    const pool = createPool(database.database, { applicationName, max }, (error) =>
      log.warn({ err: error }, 'an idle database connection was lost'),
    );
    started.defer(() => pool.end());
    if (database.database.isDistributed === true) {
      const nodes = new NodePools(pool, database.database, {
        applicationName,
        max,
        onFailure: (node, error) =>
          log.warn(
            { node, err: error },
            'no connection to a node could be opened; its tenants are read through the coordinator',
          ),
      });
      started.defer(() => nodes.end());
      readFromNodes(pool, nodes);
    }
    return pool;
  };
  const pool = openPool('sluice api', POOL_SIZE);
  // One connection more than the maximum number of reads, because a read returns its result before its transaction
  // ends.
  const readPool = openPool('sluice reads', limits.readsAtOnce + 1);
  const exportPool = openPool('sluice exports', EXPORTS_AT_ONCE);
  registerPoolMetrics(operations.metrics.registry, { requests: pool, reads: readPool, exports: exportPool });
  const frames = new FrameThread(
    {
      blobStore,
      limits: {
        maxRecordBytes: limits.recordMaxBytes,
        maxDepth: limits.recordMaxDepth,
        maxKeys: limits.recordMaxKeys,
      },
    },
    (error) =>
      log.warn(
        { err: error },
        'the data of an aborted upload could not be removed; garbage collection will remove it',
      ),
    (report) => operations.metrics.blobs.add(report),
  );
  started.defer(() => frames.stop());

  const keyUsage = new KeyUsage({
    pool,
    seconds: config.keyUseSeconds,
    onError: (error) =>
      log.warn({ err: error }, 'the last use of API keys could not be stored; the update will be retried'),
  });
  started.defer(() => keyUsage.stop());

  const notifier = new Notifier(pool, FRAMES_CHANNEL, (error) =>
    log.warn({ err: error }, 'workers could not be notified of an upload; they will find it when they poll'),
  );

  let url = '';
  const shutdownDeadline = new AbortController();
  const app = buildApp({
    pool,
    readPool,
    exportPool,
    keyUsage,
    notifier,
    endpoints: allEndpoints,
    registerPages: (pages) => {
      registerConsole(pages, { configuredUrl: config.publicUrl });
      registerDocs(pages);
    },
    trustedProxies: config.trustedProxies,
    blobs,
    frames,
    limits,
    retention: config.retention,
    log,
    shutdownDeadline: shutdownDeadline.signal,
    operations,
    servesMetrics: config.operationsPort === undefined,
    validatesResponses: config.validatesResponses,
    publicUrl: () => config.publicUrl ?? url,
    configuredUrl: config.publicUrl,
    scansUrl: config.publicUrl && `${config.publicUrl}${SCANS_PATH}`,
    webhooksAllowPrivateAddresses: config.webhooksAllowPrivateAddresses,
  });
  started.defer(() => drain(app, shutdownDeadline));
  url = await listen(app, config, 'HOST and PORT');

  const running = started.move();
  return { url, stop: () => running.disposeAsync() };
};

async function drain(app: FastifyInstance, shutdownDeadline: AbortController): Promise<void> {
  const timers = [
    setTimeout(() => shutdownDeadline.abort(shuttingDown()), UPLOAD_CUTOFF_MS),
    setTimeout(() => app.server.closeAllConnections(), DRAIN_MS),
  ];
  await app.close();
  timers.forEach(clearTimeout);
}
