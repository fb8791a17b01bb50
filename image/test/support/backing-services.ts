import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { findPostgresql, startPostgresql } from '../../../packages/server/test/support/own-postgresql.ts';
import { run } from '../../../packages/server/test/support/process.ts';
import { startS3Server } from '../../../packages/server/test/support/s3-server.ts';
import { CHECKOUT } from './dockerfile.ts';

/** The database and S3 server that a container of the service requires, as in compose.yaml. */
export interface BackingServices {
  /** Settings to connect to them. */
  readonly settings: Readonly<Record<string, string>>;
  /** A folder for temporary test data. */
  readonly folder: string;
  /** Creates another, empty database. Returns its DATABASE_URL. */
  readonly createDatabase: (name: string) => Promise<string>;
  /** Rejects connections to the database until the returned function is called. */
  readonly closeDatabase: () => Promise<() => Promise<void>>;
  readonly remove: () => Promise<void>;
}

/** Starts PostgreSQL, with a database created by the script of compose.yaml, and an S3 server without a bucket. */
export async function startBackingServices(): Promise<BackingServices> {
  await using started = new AsyncDisposableStack();
  const folder = await mkdtemp(path.join(tmpdir(), 'sluice-services-'));
  started.defer(() => rm(folder, { recursive: true, force: true }));
  const programs = (await findPostgresql()) ?? '';
  const postgresql = await startPostgresql(programs);
  started.defer(() => postgresql.remove());
  const password = "it's-a-password";
  const { hostname, port, username, password: superuserPassword } = new URL(postgresql.url('postgres'));
  const { code, stderr } = await run(path.join(CHECKOUT, 'image/postgres/create-database.sh'), [], {
    env: {
      PATH: `${programs}:${process.env.PATH}`,
      PGHOST: hostname,
      PGPORT: port,
      PGPASSWORD: superuserPassword,
      POSTGRES_USER: username,
      SLUICE_DATABASE_PASSWORD: password,
    },
  });
  if (code !== 0) throw new Error(`create-database.sh exited with ${code}: ${stderr}`);
  const s3 = await startS3Server();
  started.defer(() => s3.stop());

  const setConnectionsAllowed = async (isAllowed: boolean) => {
    await postgresql.sql('postgres', `alter database sluice allow_connections ${isAllowed}`);
    await postgresql.sql(
      'postgres',
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = 'sluice'`,
    );
  };
  const running = started.move();
  return {
    folder,
    settings: {
      ...s3.environment,
      DATABASE_URL: postgresql.url('sluice', 'sluice', password),
      SLUICE_BLOB_STORE: 's3://sluice/frames',
      SLUICE_WORKERS: '1',
      LOG_LEVEL: 'warn',
    },
    createDatabase: async (name) => {
      await postgresql.sql('postgres', `create database ${name} owner sluice`);
      return postgresql.url(name, 'sluice', password);
    },
    closeDatabase: async () => {
      await setConnectionsAllowed(false);
      return () => setConnectionsAllowed(true);
    },
    remove: () => running.disposeAsync(),
  };
}
