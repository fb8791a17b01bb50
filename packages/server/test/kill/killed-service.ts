import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { createTenantKey } from '../support/deployment.ts';
import type { Sandbox } from '../support/sandbox.ts';
import type { KilledDatabase } from './database.ts';
import type { Faults } from './faults.ts';
import type { ServiceLog } from './service-log.ts';
import { SupervisedProcess } from './supervised-process.ts';

const APIS = 2;
const WORKERS = 3;
/** After PostgreSQL is killed, no process can start for several seconds. */
const NO_API_MS = 120_000;

/**
 * The real service, running as several processes with a shared PostgreSQL server and blob folder. Every process can be
 * killed.
 */
export interface KilledService {
  readonly apis: readonly SupervisedProcess[];
  readonly workers: readonly SupervisedProcess[];
  readonly database: KilledDatabase;
  /** The API keys of new tenants. */
  readonly tenantKeys: readonly string[];
  /**
   * Returns the URL of the next API process, as a load balancer would. Waits for a limited time if no API process is
   * running.
   */
  readonly nextApi: () => Promise<string>;
  readonly stop: () => Promise<void>;
}

/** `startDatabase` receives the folder for the data of the processes. */
export async function startKilledService(
  sandbox: Sandbox,
  startDatabase: (dataDir: string) => Promise<KilledDatabase>,
  tenants: number,
  faults: Faults,
  log: ServiceLog,
): Promise<KilledService> {
  const dataDir = await sandbox.newDataDir();
  const database = await startDatabase(dataDir);
  const blobs = pathToFileURL(path.join(await sandbox.newDataDir(), 'blobs')).href;
  const settings = (name: string) => ({
    DATABASE_URL: database.urlFor(name),
    SLUICE_BLOB_STORE: blobs,
    SLUICE_WORKERS: '1',
  });
  const sluiceJson = async <Result>(...args: string[]): Promise<Result> => {
    const { code, stdout, stderr } = await sandbox.sluice(dataDir, [...args, '--json'], settings('operator'));
    if (code !== 0) throw new Error(`sluice ${args.join(' ')} exited with ${code}: ${stderr}`);
    return JSON.parse(stdout);
  };
  await sluiceJson(...database.migration);
  const tenantKeys: string[] = [];
  for (let created = 0; created < tenants; created++) tenantKeys.push(await createTenantKey({ sluiceJson }));

  const supervise = (role: string, count: number) =>
    Array.from({ length: count }, (_, at) => {
      const name = `${role} ${at + 1}`;
      const start = () => sandbox.startSluice(dataDir, ['serve', '--role', role], settings(name));
      return new SupervisedProcess(name, start, faults, log);
    });
  const [apis, workers] = [supervise('api', APIS), supervise('worker', WORKERS)];
  const all = [...apis, ...workers];
  const stopAll = async () => void (await Promise.all(all.map((process) => process.stop())));
  try {
    await Promise.all(all.map((process) => process.start()));
  } catch (error) {
    // Otherwise, the supervisors would keep restarting the processes.
    await stopAll();
    throw error;
  }
  let nextIndex = 0;
  let isStopped = false;
  return {
    apis,
    workers,
    database,
    tenantKeys,
    nextApi: async () => {
      for (const from = performance.now(); !isStopped; ) {
        for (let attempt = 0; attempt < APIS; attempt++) {
          const url = apis[nextIndex++ % APIS]?.url;
          if (url !== undefined) return url;
        }
        if (performance.now() - from > NO_API_MS)
          throw new Error(`no API process has been running for ${NO_API_MS / 1000} s`);
        await sleep(50);
      }
      throw new Error('the service was stopped');
    },
    stop: async () => {
      isStopped = true;
      await stopAll();
      await database.remove();
    },
  };
}
