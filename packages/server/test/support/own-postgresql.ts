import { chown, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { type ProcessOptions, run } from './process.ts';
import { serverAccount } from './server-account.ts';

const DEBIAN = '/usr/lib/postgresql';
const OLDEST = 15;
const PASSWORD = 'of-the-superuser';

/** An external PostgreSQL server with the superuser `postgres`. */
export interface OwnPostgresql {
  readonly url: (database: string, user?: string, password?: string) => string;
  /** Runs SQL as the superuser. */
  readonly sql: (database: string, text: string) => Promise<Record<string, unknown>[]>;
  readonly remove: () => Promise<void>;
}

/** The programs of the oldest supported server on this machine, as Debian installs them. */
export async function findPostgresql(): Promise<string | undefined> {
  const versions = await readdir(DEBIAN).catch(() => []);
  const [oldest] = versions
    .map(Number)
    .filter((version) => version >= OLDEST)
    .sort((a, b) => a - b);
  return oldest === undefined ? undefined : path.join(DEBIAN, String(oldest), 'bin');
}

export interface PostgresqlOptions {
  /** Additional options of initdb. */
  readonly initdb?: readonly string[];
  /** Additional settings of the server. */
  readonly settings?: Readonly<Record<string, string>>;
  /** A standby without a primary, which is permanently read-only. */
  readonly isStandby?: boolean;
}

/** Creates and starts a cluster in a temporary folder, without flushing data to disk. */
export async function startPostgresql(
  programs: string,
  { initdb = [], settings = {}, isStandby = false }: PostgresqlOptions = {},
): Promise<OwnPostgresql> {
  const folder = await mkdtemp(path.join(tmpdir(), 'own-postgresql-'));
  const user = await serverAccount(path.join(folder, 'data'));
  const inFolder: ProcessOptions = { cwd: '/', env: { LC_ALL: 'C' }, ...user };
  const data = `--pgdata=${folder}/data`;
  const program = async (name: string, args: readonly string[]) => {
    const { code, stdout, stderr } = await run(path.join(programs, name), [...args, data], inFolder);
    if (code !== 0) throw new Error(`${name} exited with ${code}:\n${stdout}\n${stderr}`);
  };
  const remove = async () => {
    await run(path.join(programs, 'pg_ctl'), ['stop', '--mode=immediate', '--wait', data], inFolder);
    await rm(folder, { recursive: true, force: true });
  };
  try {
    const passwordFile = path.join(folder, 'password');
    await writeFile(passwordFile, PASSWORD);
    if (user !== undefined) {
      for (const name of [folder, passwordFile]) await chown(name, user.uid, user.gid);
    }
    const access = ['--username=postgres', `--pwfile=${passwordFile}`, '--auth=scram-sha-256'];
    await program('initdb', [...access, '--encoding=UTF8', '--no-sync', ...initdb]);
    if (isStandby) await writeFile(path.join(folder, 'data/standby.signal'), '');
    const port = await freePort();
    const all = {
      listen_addresses: '127.0.0.1',
      port: String(port),
      unix_socket_directories: '',
      fsync: 'off',
      ...settings,
    };
    const options = Object.entries(all).map(([name, value]) => `-c ${name}=${value}`);
    await program('pg_ctl', ['start', '--wait', `--log=${folder}/log`, `--options=${options.join(' ')}`]);
    const url: OwnPostgresql['url'] = (database, role = 'postgres', password = PASSWORD) =>
      `postgres://${role}:${password}@127.0.0.1:${port}/${database}`;
    return {
      url,
      sql: async (database, text) => {
        const client = new pg.Client({ connectionString: url(database) });
        await client.connect();
        try {
          return (await client.query<Record<string, unknown>>(text)).rows;
        } finally {
          await client.end();
        }
      },
      remove,
    };
  } catch (error) {
    await remove();
    throw error;
  }
}

/** Returns a port without a listener. Rejects if the requested port has one. */
export async function freePort(requested = 0): Promise<number> {
  return await new Promise((resolve, reject) => {
    const server = createServer();
    server.on('error', reject);
    server.listen(requested, '127.0.0.1', () => {
      const address = server.address();
      server.close(() =>
        typeof address === 'object' && address !== null
          ? resolve(address.port)
          : reject(new Error('no port')),
      );
    });
  });
}
