import { WorkerPool } from '../ingest/worker/worker-pool.ts';
import { NotReady } from '../observability/health.ts';
import { backfillFindings } from '../retention/backfill-findings.ts';
import { removeDeletedProviders } from '../retention/remove-deleted-providers.ts';
import { runGarbageCollector } from '../retention/schedule-garbage-collection.ts';
import { FindingVacuum } from '../retention/vacuum-findings.ts';
import { WebhookDeliverer } from '../webhooks/deliver-webhooks.ts';
import type { StartComponent } from './component.ts';

/**
 * Starts the workers, the vacuum after uploads, the delivery of webhooks, garbage collection, the removal of deleted
 * providers, and the backfill of findings that earlier releases wrote. Does not listen on a port.
 */
export const startWorkers: StartComponent = async ({
  config,
  database: { database, embedded },
  blobs,
  log,
  operations: { health, metrics },
  apiUrl,
}) => {
  const { workers, blobStore, limits, checksConformance, logLevel, tracesUrl, publicUrl = apiUrl } = config;
  const settings = {
    database,
    embedded,
    blobStore,
    limits,
    checksConformance,
    logLevel,
    tracesUrl,
    publicUrl,
  };
  const stop = new AbortController();
  const { signal } = stop;
  // Autovacuum does it in a distributed database (distribute.ts).
  const vacuum =
    database.isDistributed === true ? undefined : new FindingVacuum({ database, embedded, log, signal });
  const webhooks = new WebhookDeliverer({
    database,
    embedded,
    allowsPrivateAddresses: config.webhooksAllowPrivateAddresses,
    log,
    metrics: metrics.webhooks,
    signal,
  });
  const pool = new WorkerPool(workers, settings, log, (report) => {
    if (report.type === 'blob') {
      metrics.blobs.add(report);
    } else if (report.type === 'job') {
      metrics.frames.addJob(report.status);
      webhooks.wake();
    } else {
      metrics.frames.add(report);
      vacuum?.add(report.records);
      if (report.jobStatus !== undefined) webhooks.wake();
    }
  });
  health.add('workers', async () => {
    const { ready } = pool;
    if (ready < workers)
      throw new NotReady(
        `${workers - ready} of ${workers} worker threads have exited or cannot connect to the database`,
      );
  });
  const removal = removeDeletedProviders({ database, embedded, log, signal });
  const backfill = backfillFindings({ database, embedded, log, signal });
  const collection = runGarbageCollector({
    database,
    embedded,
    blobs,
    settings: config.retention,
    log,
    signal,
    metrics: metrics.retention,
  });
  // The health check must succeed as soon as the process reports that it is ready.
  await pool.started();
  return {
    stop: async () => {
      stop.abort();
      await Promise.all([pool.stop(), removal, backfill, collection, vacuum?.stopped(), webhooks.stopped()]);
    },
  };
};
