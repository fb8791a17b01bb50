import { type FauxqsServer, startFauxqs } from 'fauxqs';
import type { BlobStoreSettings } from '../../src/config/blob-store-settings.ts';
import { type FaultProxy, startFaultProxy } from './fault-proxy.ts';
import type { Environment } from './service.ts';

/** A separate, real S3 server that keeps its data in memory, behind a proxy that can simulate faults. */
export interface S3Server {
  readonly proxy: FaultProxy;
  readonly settings: BlobStoreSettings & { readonly type: 's3' };
  /** Settings for a service that stores its blobs on this server. */
  readonly environment: Environment;
  /** Returns the keys of all objects in the bucket. */
  readonly objects: () => Promise<string[]>;
  /** Removes an object, bypassing the proxy. */
  readonly remove: (key: string) => Promise<void>;
  /** Multipart uploads that are neither complete nor aborted. */
  readonly openUploads: () => Promise<string[]>;
  readonly stop: () => Promise<void>;
}

const BUCKET = 'sluice-frames';
const PREFIX = 'some/where/';
/** Secrets that must not appear in any message. */
export const S3_SECRETS = ['AKIASOMEACCESSKEYID', 'some-secret-access-key'] as const;

/** Starts the server with an empty bucket. */
export async function startS3Server(): Promise<S3Server> {
  const server: FauxqsServer = await startFauxqs({ port: 0, host: '127.0.0.1', logger: false });
  server.createBucket(BUCKET);
  const target = `http://127.0.0.1:${server.port}`;
  const proxy = await startFaultProxy(target);
  return {
    proxy,
    settings: { type: 's3', bucket: BUCKET, prefix: PREFIX, endpoint: proxy.url, credentials: undefined },
    environment: {
      SLUICE_BLOB_STORE: `s3://${BUCKET}/${PREFIX}`,
      AWS_ENDPOINT_URL: proxy.url,
      AWS_REGION: 'eu-central-1',
      AWS_ACCESS_KEY_ID: S3_SECRETS[0],
      AWS_SECRET_ACCESS_KEY: S3_SECRETS[1],
    },
    objects: async () => {
      const list = await (await fetch(`${target}/${BUCKET}?list-type=2`)).text();
      return [...list.matchAll(/<Key>(.*?)<\/Key>/g)].map(([, key = '']) => key);
    },
    remove: async (key) => void (await fetch(`${target}/${BUCKET}/${key}`, { method: 'DELETE' })),
    openUploads: async () => {
      const open: string[] = [];
      for (const { path, uploadId } of proxy.begun) {
        // The server cannot list multipart uploads, but rejects parts of an upload that is not in progress.
        const url = `${target}${path}?partNumber=9999&uploadId=${uploadId}`;
        const { status } = await fetch(url, { method: 'PUT', body: '-' });
        if (status !== 404) open.push(uploadId);
      }
      return open;
    },
    stop: async () => {
      await proxy.stop();
      await server.stop();
    },
  };
}
