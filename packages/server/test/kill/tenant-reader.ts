import { createHash } from 'node:crypto';
import { type Client, createClient } from '../support/client.ts';
import { walkPages } from '../support/walk-pages.ts';

/** Reads all data of a tenant through the API, from any process that responds. */
export interface TenantReader {
  /** Returns all resources in a list, page by page. */
  readonly all: <Resource>(path: string) => Promise<Resource[]>;
  readonly get: Client['get'];
  /** Returns the counts and positions of a job's errors. */
  readonly errors: ReturnType<typeof createClient>['errors'];
  /** Returns the SHA-256 of a job's file, with the status of the response. */
  readonly fileHash: (id: string) => Promise<{ status: number; sha256: string }>;
}

export function createTenantReader(url: string, key: string): TenantReader {
  const client = createClient(url, key);
  return {
    all: async <Resource>(path: string) => {
      const first = await client.get<Resource[]>(path);
      if (first.status !== 200) throw new Error(`${path}: ${JSON.stringify(first.body)}`);
      return (await walkPages({ url, key }, first, 'next')).flatMap(({ body }) => body.data);
    },
    get: client.get,
    errors: client.errors,
    fileHash: async (id) => {
      const { status, bytes } = await client.file(id);
      return { status, sha256: sha256(bytes) };
    },
  };
}

export function sha256(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}
