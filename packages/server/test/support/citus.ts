import { execFileSync } from 'node:child_process';
import { randomInt, randomUUID } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import type { Database } from '../../src/db/connect.ts';
import { distribute } from '../../src/db/distribute.ts';
import { sharedFolder } from './embedded-template.ts';
import { freePort } from './own-postgresql.ts';
import { oneAtATime } from './run-cluster.ts';

const POSTGRES = '/usr/lib/postgresql/15/bin/postgres';
const PG_CTL = '/usr/lib/postgresql/15/bin/pg_ctl';
/** The folder of the shared cluster, and the beginning of the names of other clusters. */
const CLUSTER = 'citus';
/** The Citus build needs at least this minor version. */
const OLDEST_MINOR = 20;
const NODES = 3;
/** Each database takes a background worker of each node, and moving a shard takes several. */
const SHARED_SETTINGS = { max_worker_processes: 64, max_connections: 500 };
/** Several on each node. */
const SHARDS = 4;
/** The folder with `start-cluster` and `stop-cluster`. It is not part of the repository. */
const TOOLS =
  process.env.SLUICE_TEST_CITUS ?? fileURLToPath(new URL('../../../../../shared/citus', import.meta.url));

/** A database on a Citus cluster with a coordinator and two workers, whose tables are not distributed. */
export interface CitusDatabase {
  /** The superuser's URL of the database on the coordinator. */
  readonly url: string;
  /** The URL of an ordinary role that owns the database and may create roles. */
  readonly ownerUrl: string;
  /** The superuser's URLs of the database on the workers. */
  readonly workers: readonly string[];
  /** Drops the database. */
  readonly remove: () => Promise<void>;
}

/** A database on a cluster that no other test file uses. `remove` stops the cluster. */
export interface OwnCitusDatabase extends CitusDatabase {
  /** Ends a worker without a checkpoint, like a crash. The first worker has the number 1. */
  readonly killNode: (worker: number) => void;
  readonly startNode: (worker: number) => void;
}

/** Why tests cannot start a Citus cluster on this machine; `undefined` if they can. */
export function getCitusSkipReason(): string | undefined {
  if (!existsSync(path.join(TOOLS, 'start-cluster')))
    return 'requires the Citus test cluster (set SLUICE_TEST_CITUS)';
  const version = existsSync(POSTGRES) ? execFileSync(POSTGRES, ['--version'], { encoding: 'utf8' }) : '';
  const minor = Number(/ 15\.(\d+)/.exec(version)?.[1] ?? 0);
  if (minor < OLDEST_MINOR) return `requires PostgreSQL 15.${OLDEST_MINOR} or a newer version 15`;
  return existsSync('/usr/bin/zstd') ? undefined : 'requires zstd';
}

/** Creates a database with the Citus extension. The first call of a run starts the cluster that all files share. */
export async function createCitusDatabase(): Promise<CitusDatabase> {
  // One after the other, because sessions that create databases and roles at the same time can fail.
  return await oneAtATime('citus', async () => await createOn(await startCluster()));
}

/** Creates a distributed database. */
export async function createDistributedDatabase(): Promise<Database> {
  const { url } = await createCitusDatabase();
  return (await distribute(url, { shards: SHARDS, log: () => {} })).database;
}

/** Starts a cluster for one test file, whose workers it can kill. */
export async function createOwnCitusDatabase(): Promise<OwnCitusDatabase> {
  const folder = path.join(sharedFolder(), `${CLUSTER}-${randomUUID()}`);
  const database = await createOn(await startIn(folder));
  return {
    ...database,
    killNode: (worker) => control(folder, worker, 'stop --mode immediate'),
    startNode: (worker) => control(folder, worker, 'start'),
    remove: async () => stopCluster(folder),
  };
}

function control(folder: string, node: number, action: string): void {
  const data = path.join(folder, `node${node}`);
  const command = `${PG_CTL} --pgdata '${data}' --log '${data}/log' --wait ${action}`;
  const [program, ...args] =
    process.getuid?.() === 0 ? ['su', 'postgres', '--shell', '/bin/bash', '--command'] : ['bash', '-c'];
  // The server must not inherit pipes, which would stay open.
  execFileSync(program, [...args, command], { stdio: 'ignore' });
}

async function createOn(firstPort: number): Promise<CitusDatabase> {
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  const ports = Array.from({ length: NODES }, (_, node) => firstPort + node);
  for (const port of ports) {
    await onNode(urlOf(port, 'postgres'), `create database ${name}`);
    await onNode(urlOf(port, name), 'create extension citus');
  }
  const url = urlOf(firstPort, name);
  await onNode(url, `select citus_set_coordinator_host('127.0.0.1', ${firstPort})`);
  for (const port of ports.slice(1)) await onNode(url, `select citus_add_node('127.0.0.1', ${port})`);
  // Citus creates the role on the workers.
  await onNode(url, `create role ${name} login createrole`);
  for (const port of ports) await onNode(urlOf(port, 'postgres'), `alter database ${name} owner to ${name}`);
  return {
    url,
    ownerUrl: urlOf(firstPort, name, name),
    workers: ports.slice(1).map((port) => urlOf(port, name)),
    remove: async () => {
      for (const port of ports)
        await onNode(urlOf(port, 'postgres'), `drop database if exists ${name} with (force)`);
    },
  };
}

/** Runs a statement on one node as the superuser. */
export async function onNode<Row extends pg.QueryResultRow>(
  url: string,
  sql: string,
  values: unknown[] = [],
): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Row>(sql, values)).rows;
  } finally {
    await client.end();
  }
}

/** Stops the clusters that test files have started. */
export function stopCitusClusters(): void {
  for (const entry of readdirSync(sharedFolder(), { withFileTypes: true }))
    if (entry.isDirectory() && entry.name.startsWith(CLUSTER))
      stopCluster(path.join(sharedFolder(), entry.name));
}

function stopCluster(folder: string): void {
  execFileSync(path.join(TOOLS, 'stop-cluster'), [folder]);
}

/** Returns the port of the coordinator of the shared cluster. The ports of the workers follow. */
async function startCluster(): Promise<number> {
  const portFile = path.join(sharedFolder(), 'citus-port');
  if (existsSync(portFile)) return Number(readFileSync(portFile, 'utf8'));
  const folder = path.join(sharedFolder(), CLUSTER);
  const port = await startIn(folder);
  for (let node = 0; node < NODES; node++) {
    const url = urlOf(port + node, 'postgres');
    for (const [name, value] of Object.entries(SHARED_SETTINGS))
      await onNode(url, `alter system set ${name} = ${value}`);
    control(folder, node, 'restart');
  }
  writeFileSync(portFile, String(port));
  return port;
}

async function startIn(folder: string): Promise<number> {
  const port = await freePorts();
  // The servers must not inherit pipes, which would stay open.
  execFileSync(path.join(TOOLS, 'start-cluster'), [folder, String(port)], { stdio: 'ignore' });
  return port;
}

/** Returns the first of several consecutive ports without listeners, below the ports that the system assigns to clients. */
async function freePorts(): Promise<number> {
  for (;;) {
    const first = randomInt(10_000, 32_000);
    const requested = Array.from({ length: NODES }, (_, node) => freePort(first + node));
    if ((await Promise.allSettled(requested)).every(({ status }) => status === 'fulfilled')) return first;
  }
}

function urlOf(port: number, database: string, role = 'postgres'): string {
  return `postgres://${role}@127.0.0.1:${port}/${database}`;
}
