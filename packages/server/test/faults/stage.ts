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

/** A long-lived service; each run of the scenario is a new tenant of it. */
export interface Stage {
  readonly service: Service;
  /** Sessions of a tenant, as those of the service, without passing by the injected faults. */
  readonly pool: pg.Pool;
  /** Sees all tenants. */
  readonly owner: pg.Client;
  readonly plans: ScenarioUploads;
  readonly blobs: StoredBlobs;
  /** Where faults are injected while the service ingests, and while garbage is collected. */
  readonly points: { readonly ingestion: FaultPoint; readonly collection: FaultPoint };
}

/** Older than what `SLUICE_ORPHAN_GRACE_HOURS` keeps. */
const OLD_HOURS = 25;
const HOUR_MS = 3600 * 1000;

/** What the service under test is preloaded with, for `NODE_OPTIONS`. */
export function preloads(...names: readonly string[]): string {
  const modules = ['without-delays', ...names].map(
    (name) => `--import=${pathToFileURL(path.join(import.meta.dirname, `${name}.ts`)).href}`,
  );
  return [process.env.NODE_OPTIONS ?? '', ...modules].join(' ');
}

/** Settings of every service under test: nothing happens on a schedule. */
export const WITHOUT_SCHEDULE = {
  SLUICE_WORKERS: '1',
  SLUICE_GC_INTERVAL_MINUTES: '0',
  SLUICE_KEY_USE_SECONDS: '3600',
};

export interface StageDatabase extends Pick<Stage, 'pool' | 'owner'> {
  readonly url: string;
  readonly remove: () => Promise<void>;
}

/** A migrated database in which one upload of each tenant is given up (`scenario.ts`). */
export async function createStageDatabase(): Promise<StageDatabase> {
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

/** The blobs in a folder. */
export function blobsIn(folder: string): StoredBlobs {
  const keysOf = async (tenantId: string) => {
    const ofTenant = path.join(folder, tenantId);
    // A tenant whose uploads were all refused has no folder.
    await mkdir(ofTenant, { recursive: true });
    const entries = await readdir(ofTenant, { recursive: true, withFileTypes: true });
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

/** The blobs in S3. */
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
