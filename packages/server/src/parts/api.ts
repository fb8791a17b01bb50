import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { KeyUse } from '../access/key-use.ts';
import { buildApp } from '../app.ts';
import type { Config } from '../config.ts';
import { createPool } from '../db/connect.ts';
import { FrameThread } from '../frames/frame-thread.ts';
import { OperatorError } from '../operator-error.ts';
import type { StartPart } from './part.ts';

const POOL_SIZE = 10;
/** How long running requests may take to finish after the stop, in milliseconds. */
const DRAIN_MS = 5000;

/** Answers requests: listens, stores what is uploaded, and claims no frame. */
export const startApi: StartPart = async ({ config, database, blobs, log }) => {
  await using started = new AsyncDisposableStack();
  const pool = createPool(database.database, { applicationName: 'sluice api', max: POOL_SIZE });
  pool.on('error', (error) => log.warn({ err: error }, 'an idle database connection was lost'));
  started.defer(() => pool.end());

  const { limits, blobStore } = config;
  const frames = new FrameThread({
    blobStore,
    limits: {
      maxRecordBytes: limits.recordMaxBytes,
      maxDepth: limits.recordMaxDepth,
      maxKeys: limits.recordMaxKeys,
    },
  });
  started.defer(() => frames.stop());

  const keyUse = new KeyUse({
    pool,
    seconds: config.keyUseSeconds,
    onError: (error) =>
      log.warn({ err: error }, 'the last use of keys could not be written; it is tried again'),
  });
  started.defer(() => keyUse.stop());

  let url = '';
  const app = buildApp({
    pool,
    keyUse,
    trustedProxies: config.trustedProxies,
    blobs,
    frames,
    limits,
    log,
    publicUrl: () => config.publicUrl ?? url,
    configuredUrl: config.publicUrl,
  });
  started.defer(() => drain(app));
  await listen(app, config);
  url = addressOf(app.server.address());

  const running = started.move();
  return { url, stop: () => running.disposeAsync() };
};

async function drain(app: FastifyInstance): Promise<void> {
  const drained = new AbortController();
  const force = sleep(DRAIN_MS, undefined, { signal: drained.signal }).then(
    () => app.server.closeAllConnections(),
    () => undefined,
  );
  await app.close();
  drained.abort();
  await force;
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
