import { mkdir, readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { ageFile } from '../support/aged-data.ts';
import type { S3Server } from '../support/s3-server.ts';

/** Access to a service's blobs for tests. */
export interface StoredBlobs {
  /** The keys of a tenant's blobs, including unfinished blobs. */
  readonly keysOf: (tenantId: string) => Promise<string[]>;
  /** Makes all blobs of a tenant old enough to count as unreferenced. */
  readonly age: (tenantId: string) => Promise<void>;
  readonly remove: (tenantId: string) => Promise<void>;
}

/** Older than `SLUICE_ORPHAN_GRACE_HOURS`. */
const OLD_HOURS = 25;
const HOUR_MS = 3600 * 1000;

/** Access to blobs in a folder. */
export function blobsIn(folder: string): StoredBlobs {
  const keysOf = async (tenantId: string) => {
    const tenantFolder = path.join(folder, tenantId);
    // A tenant without accepted uploads has no folder.
    await mkdir(tenantFolder, { recursive: true });
    const entries = await readdir(tenantFolder, { recursive: true, withFileTypes: true });
    const all = entries
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => path.join(parentPath, name));
    return all.map((file) => path.relative(folder, file));
  };
  return {
    keysOf,
    age: async (tenantId) => {
      for (const key of await keysOf(tenantId)) await ageFile(path.join(folder, key), OLD_HOURS);
    },
    remove: async (tenantId) => await rm(path.join(folder, tenantId), { recursive: true, force: true }),
  };
}

/** Access to blobs in S3. */
export function blobsOf({ objects, proxy, remove }: S3Server): StoredBlobs {
  const keysOf = async (tenantId: string) => (await objects()).filter((key) => key.includes(tenantId));
  const unfinished = () => proxy.begun.map(({ path }) => path);
  return {
    keysOf: async (tenantId) => [
      ...(await keysOf(tenantId)),
      ...unfinished().filter((key) => key.includes(tenantId)),
    ],
    age: async () => {
      proxy.agedHours = OLD_HOURS;
      for (const upload of proxy.begun) upload.at = new Date(Date.now() - OLD_HOURS * HOUR_MS);
    },
    remove: async (tenantId) => {
      for (const key of await keysOf(tenantId)) await remove(key);
    },
  };
}
