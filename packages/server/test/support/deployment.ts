import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { createKey, createUser, type Operator } from './operator.ts';
import type { StartedProcess } from './process.ts';
import { createMigratedDatabase, hasCluster } from './run-cluster.ts';
import type { Sandbox } from './sandbox.ts';
import type { Environment, Service } from './service.ts';

/** Processes that share only a database and a blob store. */
export interface Deployment {
  /** The database URL for the superuser. */
  readonly databaseUrl: string;
  /** The blob store is the subfolder `blobs`. */
  readonly dataDir: string;
  readonly startApi: (own?: Environment) => Promise<Service>;
  readonly startWorker: (own?: Environment) => Promise<StartedProcess>;
}

/**
 * Creates a migrated database in the cluster of the run. Without that cluster, or if `host` is given, creates an empty
 * database in the cluster of `host` or of a separate service, which does not use the new database.
 */
export async function createDeployment(sandbox: Sandbox, host?: Service): Promise<Deployment> {
  const isInCluster = host === undefined && hasCluster();
  const databaseUrl = isInCluster
    ? await createMigratedDatabase()
    : await createDatabaseBeside(host ?? (await sandbox.startEmbeddedService({ SLUICE_WORKERS: '1' })));
  const dataDir = await sandbox.newDataDir();
  const shared = {
    DATABASE_URL: databaseUrl,
    SLUICE_BLOB_STORE: pathToFileURL(path.join(dataDir, 'blobs')).href,
    SLUICE_WORKERS: '1',
  };
  return {
    databaseUrl,
    dataDir,
    startApi: async (own) =>
      await sandbox.startService({ ...shared, ...own }, await sandbox.newDataDir(), ['--role', 'api']),
    startWorker: async (own) => {
      const args = ['serve', '--role', 'worker'];
      const worker = sandbox.startSluice(await sandbox.newDataDir(), args, { ...shared, ...own });
      await worker.printed(/Sluice is ready/);
      return worker;
    },
  };
}

async function createDatabaseBeside(host: Service): Promise<string> {
  const url = new URL(host.databaseUrl);
  url.pathname = `deployment_${randomUUID().replaceAll('-', '')}`;
  await host.sql(`create database ${url.pathname.slice(1)}`);
  // Behaves like an external PostgreSQL, which does not check client connections during queries.
  await host.sql(`alter database ${url.pathname.slice(1)} set client_connection_check_interval = 0`);
  return url.href;
}

/** Creates a tenant with a user who has all permissions, and returns the user's API key. */
export async function createTenantKey(service: Operator): Promise<string> {
  const email = 'somebody@example.com';
  const { id } = await service.sluiceJson<{ id: string }>('tenant', 'create', 'Acme');
  await createUser(service, id, email);
  return await createKey(service, id, email);
}

/** Returns the number of claimed frames, whose queue rows are locked. */
export async function claimedFrames({ sql }: Service): Promise<number> {
  const [all] = await sql<{ count: number }>('select count(*)::int from frame_queue');
  const free = await sql('select from frame_queue for update skip locked');
  return (all?.count ?? 0) - free.length;
}
