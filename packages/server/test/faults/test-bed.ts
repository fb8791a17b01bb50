import { mkdir, readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import pg from 'pg';
import { APP_ROLE, createPool } from '../../src/db/connect.ts';
import { ageFile } from '../support/aged-data.ts';
import { createMigratedDatabase, dropDatabase } from '../support/run-cluster.ts';
import type { S3Server } from '../support/s3-server.ts';
import type { Service } from '../support/service.ts';
import type { StoredBlobs } from './collect.ts';
import type { FaultPoint } from './fault-point.ts';
import { GIVE_UP_FRAMES } from './scenario.ts';
import type { ScenarioUploads } from './scenario-uploads.ts';

/** A long-lived service; each run of the scenario uses a new tenant. */
export interface TestBed {
  readonly service: Service;
  /** Sessions configured like those of the service, without injected faults. */
  readonly pool: pg.Pool;
  /** A connection that sees all tenants. */
  readonly owner: pg.Client;
  readonly plans: ScenarioUploads;
  readonly blobs: StoredBlobs;
  /** Fault points for ingestion and for garbage collection. */
  readonly points: { readonly ingestion: FaultPoint; readonly collection: FaultPoint };
}

/** Older than `SLUICE_ORPHAN_GRACE_HOURS`. */
const OLD_HOURS = 25;
const HOUR_MS = 3600 * 1000;

/** The value of `NODE_OPTIONS` that preloads these modules into the service under test. */
export function preloads(...names: readonly string[]): string {
  const modules = ['without-delays', ...names].map(
    (name) => `--import=${pathToFileURL(path.join(import.meta.dirname, `${name}.ts`)).href}`,
  );
  return [process.env.NODE_OPTIONS ?? '', ...modules].join(' ');
}

/** Settings of every service under test, without scheduled tasks. */
export const WITHOUT_SCHEDULE = {
  SLUICE_WORKERS: '1',
  SLUICE_GC_INTERVAL_MINUTES: '0',
  SLUICE_KEY_USE_SECONDS: '3600',
};

export interface TestBedDatabase extends Pick<TestBed, 'pool' | 'owner'> {
  readonly url: string;
  readonly remove: () => Promise<void>;
}

/** Creates a migrated database in which the service gives up on one upload of each tenant (`scenario.ts`). */
export async function createTestBedDatabase(): Promise<TestBedDatabase> {
  const url = await createMigratedDatabase();
  const pool = createPool({ url, role: APP_ROLE }, { applicationName: 'sluice test', max: 2 });
  const owner = new pg.Client({ connectionString: url, options: '-c search_path=sluice' });
  await owner.connect();
  await owner.query(GIVE_UP_FRAMES);
  return {
    url,
    pool,
    owner,
    remove: async () => {
      await pool.end();
      await owner.end();
      await dropDatabase(url);
    },
  };
}

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
