import { randomUUID } from 'node:crypto';
import pg from 'pg';

/** The environment variable in which the global setup of a run passes the superuser URL of its PostgreSQL cluster. */
const CLUSTER_URL = 'SLUICE_TEST_CLUSTER_URL';
/** A migrated, empty database from which test databases are copied. */
const TEMPLATE = 'sluice_template';

/** Publishes the cluster in the environment, which test files inherit. */
export function publishCluster(url: string): void {
  process.env[CLUSTER_URL] = url;
}

/** Whether a run with the global setup is in progress. Without it, each service starts an embedded PostgreSQL. */
export function hasCluster(): boolean {
  return process.env[CLUSTER_URL] !== undefined;
}

/** Creates the template database; `migrate` receives the database URL and creates the schema. */
export async function createTemplate(migrate: (url: string) => Promise<unknown>): Promise<void> {
  await onCluster(`create database ${TEMPLATE}`);
  await migrate(urlOf(TEMPLATE));
}

/** Creates a database with the schema of this version, and returns its URL for the superuser. */
export async function createMigratedDatabase(): Promise<string> {
  return await createDatabase(`template ${TEMPLATE}`);
}

/** Creates an empty database, and returns its URL for the superuser. */
export async function createEmptyDatabase(): Promise<string> {
  return await createDatabase('');
}

async function createDatabase(options: string): Promise<string> {
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  await onCluster(`create database ${name} ${options}`);
  return urlOf(name);
}

/** Ends all sessions of the database and drops the database. */
export async function dropDatabase(url: string): Promise<void> {
  await onCluster(`drop database if exists ${new URL(url).pathname.slice(1)} with (force)`);
}

/** Runs the work under the lock with this name, which all test files of the run share. */
export async function oneAtATime<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
  const client = new pg.Client({ connectionString: process.env[CLUSTER_URL] });
  await client.connect();
  try {
    await client.query('select pg_advisory_lock(hashtextextended($1, 0))', [name]);
    return await work();
  } finally {
    await client.end();
  }
}

function urlOf(database: string): string {
  const url = new URL(process.env[CLUSTER_URL] ?? '');
  url.pathname = database;
  return url.href;
}

async function onCluster(sql: string): Promise<void> {
  if (!hasCluster())
    throw new Error('this test needs the PostgreSQL cluster of a test run; use npm run test:file -- FILE');
  const client = new pg.Client({ connectionString: process.env[CLUSTER_URL] });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}
