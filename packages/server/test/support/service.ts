import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { findRunningPostgres } from '../../src/db/embedded/embedded-postgres.ts';
import { createFirstTenant } from '../../src/process/first-start.ts';
import { databaseOf, type OperatorAccess, operatorOf, withPool } from './administration.ts';
import { copyEmbeddedCluster } from './embedded-template.ts';
import { createMigratedDatabase, dropDatabase, hasCluster } from './run-cluster.ts';

const BIN = fileURLToPath(new URL('../../bin/sluice.js', import.meta.url));
const START_MS = 60_000;

export type Environment = Readonly<Record<string, string>>;

/** A tenant in a running service, with a user who has all permissions and with operator access to the service. */
export interface TenantService extends OperatorAccess {
  readonly url: string;
  /** The API key of the user. */
  readonly key: string;
  readonly tenantId: string;
  /** The service stores its blobs in the subfolder `blobs`. */
  readonly dataDir: string;
  /** The output so far. */
  readonly output: { readonly stdout: string; readonly stderr: string };
}

/** A service in a separate process, with a separate data directory and database. */
export interface Service extends TenantService {
  /**
   * `key` and `tenantId` come from the first start. They are empty on later starts and with a DATABASE_URL from the
   * test.
   */
  readonly process: ChildProcess;
  /** The database URL of the superuser or the owner. */
  readonly databaseUrl: string;
  /** Runs `sluice ...` in a separate process with the settings of the service. Rejects if its exit code is not 0. */
  readonly sluice: (...args: string[]) => Promise<{ stdout: string; stderr: string }>;
  /** Stops the process with this signal and waits until it exits. Keeps the data. */
  readonly end: (signal?: NodeJS.Signals) => Promise<number | null>;
  /** Stops the service, drops its database and removes its data. */
  readonly remove: () => Promise<void>;
}

/** The databases of this file's services by data directory; `undefined` for the embedded database. */
const databases = new Map<string, string | undefined>();

/** Variables that the runner sets for all Node.js processes of a run. */
function environmentOfRun(): Environment {
  const names = ['NODE_COMPILE_CACHE', 'NODE_OPTIONS', 'NODE_V8_COVERAGE'];
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = process.env[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

/** Settings of a test service: a free port, little output and no rate limits. The test can override these settings. */
export function settings(dataDir: string, own: Environment): NodeJS.ProcessEnv {
  const databaseUrl = databases.get(dataDir);
  return {
    PATH: process.env.PATH,
    HOME: process.env.HOME,
    PORT: '0',
    SLUICE_DATA_DIR: dataDir,
    SLUICE_REQUESTS_PER_MINUTE: '0',
    SLUICE_UPLOADS_PER_MINUTE: '0',
    SLUICE_FAILED_AUTHENTICATIONS_PER_MINUTE: '0',
    LOG_LEVEL: 'warn',
    // A response that does not match the API description fails the test.
    NODE_ENV: 'test',
    ...environmentOfRun(),
    ...(databaseUrl !== undefined && { DATABASE_URL: databaseUrl }),
    ...own,
  };
}

/** Creates a folder for the data of a test, accessible to the `postgres` system user. */
export async function makeDataDir(): Promise<string> {
  return await mkdtemp(path.join(tmpdir(), 'sluice-test-'));
}

/** Removes the data of services in a data directory and in its database. */
export async function removeData(dataDir: string): Promise<void> {
  const databaseUrl = databases.get(dataDir);
  if (databaseUrl !== undefined) await dropDatabase(databaseUrl);
  await rm(dataDir, { recursive: true, force: true });
}

/**
 * Starts the service with a new or previously used data directory; `args` are the arguments after `serve`. Its
 * database is a copy of the template in the cluster of the run, unless the settings specify a database or there is no
 * such cluster. Its stderr is collected in `output`, or written to an open file.
 */
export async function startService(
  own: Environment = {},
  dataDir?: string,
  args: readonly string[] = [],
  stderr: 'pipe' | number = 'pipe',
): Promise<Service> {
  const directory = dataDir ?? (await makeDataDir());
  const isNew = own.DATABASE_URL === undefined && hasCluster() && !databases.has(directory);
  if (!isNew) return await launch(own, directory, args, stderr);
  const databaseUrl = await createMigratedDatabase();
  databases.set(directory, databaseUrl);
  const service = await launch(own, directory, args, stderr);
  return { ...service, ...(await withPool(databaseOf(databaseUrl), createFirstTenant)) };
}

/** Like `startService`, but with the embedded PostgreSQL in the data directory. */
export async function startEmbeddedService(
  own: Environment = {},
  dataDir?: string,
  args: readonly string[] = [],
): Promise<Service> {
  const directory = dataDir ?? (await makeDataDir());
  if (hasCluster() && !existsSync(path.join(directory, 'postgres'))) await copyEmbeddedCluster(directory);
  databases.set(directory, undefined);
  return await launch(own, directory, args);
}

async function launch(
  own: Environment,
  dataDir: string,
  args: readonly string[],
  stderr: 'pipe' | number = 'pipe',
): Promise<Service> {
  const env = settings(dataDir, own);
  const child = spawn(process.execPath, [BIN, 'serve', ...args], { env, stdio: ['ignore', 'pipe', stderr] });
  const output = { stdout: '', stderr: '' };
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    output.stdout += text;
  });
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    output.stderr += text;
  });
  const exited = once(child, 'exit');
  const url = await readyAt(child, output, exited);
  const findDatabase = async () => {
    // The embedded PostgreSQL uses a different port after each start.
    const url = env.DATABASE_URL ?? (await findRunningPostgres({ dataDir }))?.url;
    if (url === undefined) throw new Error('the database of the service is not running');
    return url;
  };
  const sluice = (...args: string[]) => promisify(execFile)(process.execPath, [BIN, ...args], { env });
  const end = async (signal: NodeJS.Signals = 'SIGTERM') => {
    child.kill(signal);
    await exited;
    return child.exitCode;
  };
  return {
    url,
    key: /API key {2,}(\S+)/.exec(output.stdout)?.[1] ?? '',
    tenantId: /Tenant {2,}(\S+)/.exec(output.stdout)?.[1] ?? '',
    dataDir,
    databaseUrl: await findDatabase(),
    process: child,
    output,
    sluice,
    ...operatorOf(env, async () => databaseOf(await findDatabase())),
    end,
    remove: async () => {
      await end();
      await removeData(dataDir);
    },
  };
}

async function readyAt(
  child: ChildProcess,
  output: { stdout: string; stderr: string },
  exited: Promise<unknown>,
): Promise<string> {
  const deadline = AbortSignal.timeout(START_MS);
  while (!deadline.aborted) {
    const url = /ready at (\S+)/.exec(output.stdout)?.[1];
    if (url !== undefined) return url;
    if (child.exitCode !== null || child.signalCode !== null) break;
    await Promise.race([
      child.stdout === null ? undefined : once(child.stdout, 'data', { signal: deadline }),
      exited,
    ]);
  }
  child.kill('SIGKILL');
  throw new Error(`the service did not start:\n${output.stdout}\n${output.stderr}`);
}
