import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import pg from 'pg';
import { findRunningPostgres } from '../../src/db/embedded/embedded-postgres.ts';

const BIN = fileURLToPath(new URL('../../bin/sluice.js', import.meta.url));
const START_MS = 60_000;

export type Environment = Readonly<Record<string, string>>;
export type Row = Record<string, unknown>;

/** A real service: its own process, its own data directory, its own embedded PostgreSQL. */
export interface Service {
  readonly url: string;
  /** The key and the tenant that the first start has printed; '' on later starts. */
  readonly key: string;
  readonly tenantId: string;
  readonly dataDir: string;
  readonly process: ChildProcess;
  /** All that it has printed so far. */
  readonly output: { stdout: string; stderr: string };
  /** Runs `sluice ...` with the service's settings; rejects when it exits with another code than 0. */
  readonly sluice: (...words: string[]) => Promise<{ stdout: string; stderr: string }>;
  /** The same with --json, read. */
  readonly sluiceJson: <Result = Row>(...words: string[]) => Promise<Result>;
  /** A connection of its own to the database as its owner, who sees all tenants; the caller ends it. */
  readonly connect: () => Promise<pg.Client>;
  /** One statement on such a connection. */
  readonly sql: <Result extends pg.QueryResultRow = Row>(
    text: string,
    values?: unknown[],
  ) => Promise<Result[]>;
  /** Ends the process with this signal and waits for it; the data stays. */
  readonly end: (signal?: NodeJS.Signals) => Promise<number | null>;
  /** Ends it, its database and removes the data. */
  readonly remove: () => Promise<void>;
}

/** Settings of a test's service: a free port, few words and no rate limits; the test's own go over them. */
export function settings(dataDir: string, own: Environment): NodeJS.ProcessEnv {
  return {
    PATH: process.env.PATH,
    HOME: process.env.HOME,
    PORT: '0',
    SLUICE_DATA_DIR: dataDir,
    SLUICE_REQUESTS_PER_MINUTE: '0',
    SLUICE_UPLOADS_PER_MINUTE: '0',
    SLUICE_FAILED_AUTHENTICATIONS_PER_MINUTE: '0',
    LOG_LEVEL: 'warn',
    ...own,
  };
}

/** A folder for one test's data, which the system user `postgres` can reach. */
export async function makeDataDir(): Promise<string> {
  return await mkdtemp(path.join(tmpdir(), 'sluice-test-'));
}

/** Starts the service, on a new data directory or on one that a service has used before; `words` follow `serve`. */
export async function startService(
  own: Environment = {},
  dataDir?: string,
  words: readonly string[] = [],
): Promise<Service> {
  const directory = dataDir ?? (await makeDataDir());
  const env = settings(directory, own);
  const child = spawn(process.execPath, [BIN, 'serve', ...words], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const output = { stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output.stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    output.stderr += text;
  });
  const exited = once(child, 'exit');
  const url = await readyAt(child, output, exited);

  const connect = async () => {
    const url = own.DATABASE_URL ?? (await findRunningPostgres({ dataDir: directory }))?.url;
    if (url === undefined) throw new Error('the database of the service does not run');
    const client = new pg.Client({ connectionString: url, options: '-c search_path=sluice' });
    await client.connect();
    return client;
  };
  const sluice = (...words: string[]) => promisify(execFile)(process.execPath, [BIN, ...words], { env });
  const end = async (signal: NodeJS.Signals = 'SIGTERM') => {
    child.kill(signal);
    await exited;
    return child.exitCode;
  };
  return {
    url,
    key: /API key {2,}(\S+)/.exec(output.stdout)?.[1] ?? '',
    tenantId: /Tenant {2,}(\S+)/.exec(output.stdout)?.[1] ?? '',
    dataDir: directory,
    process: child,
    output,
    sluice,
    sluiceJson: async (...words) => JSON.parse((await sluice(...words, '--json')).stdout),
    connect,
    sql: async <Result extends pg.QueryResultRow>(text: string, values: unknown[] = []) => {
      const client = await connect();
      try {
        return (await client.query<Result>(text, values)).rows;
      } finally {
        await client.end();
      }
    },
    end,
    remove: async () => {
      await end();
      await rm(directory, { recursive: true, force: true });
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
