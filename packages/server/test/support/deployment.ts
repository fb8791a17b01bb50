import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { findRunningPostgres } from '../../src/db/embedded/embedded-postgres.ts';
import { createKey, createUser, type Operator } from './operator.ts';
import type { StartedProcess } from './process.ts';
import type { Sandbox } from './sandbox.ts';
import type { Environment, Service } from './service.ts';

/** Processes that share a database and a blob store, and nothing else. */
export interface Deployment {
  readonly startApi: (own?: Environment) => Promise<Service>;
  readonly startWorker: (own?: Environment) => Promise<StartedProcess>;
}

/** Makes a new, empty database on the PostgreSQL of another service, which itself does not use it. */
export async function createDeployment(sandbox: Sandbox, host: Service, name: string): Promise<Deployment> {
  await host.sql(`create database ${name}`);
  // As a PostgreSQL of your own has it; the embedded one looks by itself.
  await host.sql(`alter database ${name} set client_connection_check_interval = 0`);
  const server = await findRunningPostgres({ dataDir: host.dataDir });
  const database = new URL(server?.url ?? '');
  database.pathname = name;
  const shared = {
    DATABASE_URL: database.href,
    SLUICE_BLOB_STORE: pathToFileURL(path.join(await sandbox.newDataDir(), 'blobs')).href,
    SLUICE_WORKERS: '1',
  };
  return {
    startApi: async (own) =>
      await sandbox.startService({ ...shared, ...own }, await sandbox.newDataDir(), ['--role', 'api']),
    startWorker: async (own) => {
      const words = ['serve', '--role', 'worker'];
      const worker = sandbox.startSluice(await sandbox.newDataDir(), words, { ...shared, ...own });
      await worker.printed(/Sluice is ready/);
      return worker;
    },
  };
}

/** The key of a new tenant's user, who may do everything. */
export async function createTenantKey(service: Operator): Promise<string> {
  const email = 'somebody@example.com';
  const { id } = await service.sluiceJson<{ id: string }>('tenant', 'create', 'Acme');
  await createUser(service, id, email);
  return await createKey(service, id, email);
}

/** How many frames are claimed at this moment: their queue rows are locked. */
export async function claimedFrames({ sql }: Service): Promise<number> {
  const [all] = await sql<{ count: number }>('select count(*)::int from frame_queue');
  const free = await sql('select from frame_queue for update skip locked');
  return (all?.count ?? 0) - free.length;
}
