import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { findRunningPostgres } from '../../src/db/embedded/embedded-postgres.ts';
import { createClient, type Resource } from '../support/client.ts';
import { query } from '../support/embedded-postgres.ts';
import { run } from '../support/process.ts';
import { record } from '../support/records.ts';
import { createSandbox } from '../support/sandbox.ts';
import { settings } from '../support/service.ts';

const PACKAGES = fileURLToPath(new URL('../../..', import.meta.url));
const MODULES = path.join(PACKAGES, '..', 'node_modules');
const PACKED = ['ocsf', 'console', 'server'] as const;
/** Packages that are built only for packing. */
const BUILT = ['ocsf', 'server'] as const;

interface Manifest {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

describe('the packed service in an empty folder', () => {
  const sandbox = createSandbox();
  let folder: string;
  let server: string;
  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'server-pack-'));
    for (const name of PACKED) await install(folder, name);
    server = path.join(folder, 'node_modules', '@sluice', 'server');
  });
  after(async () => {
    await sandbox.clear();
    await rm(folder, { recursive: true, force: true });
  });

  it('packs JavaScript and assets, but no source files', async () => {
    const files: string[] = [];
    for (const name of PACKED)
      files.push(...(await readdir(path.join(server, '..', name), { recursive: true })));
    assert.deepEqual(
      files.filter((file) => /(?<!\.d)\.ts$|test|src/.test(file)),
      [],
    );
    for (const required of [
      'dist/extract/scan-fields.wasm',
      'dist/features/docs/page.css',
      'migrations',
      'dist/pages.json',
    ])
      assert.ok(files.includes(required), required);
  });

  it('packs no references to TypeScript files', async () => {
    for (const name of BUILT) {
      const dist = path.join(server, '..', name, 'dist');
      for (const file of await readdir(dist, { recursive: true })) {
        if (!file.endsWith('.js')) continue;
        const code = await readFile(path.join(dist, file), 'utf8');
        assert.doesNotMatch(code, /['"`]\.{1,2}\/[^'"`]*\.ts['"`]/, `${name}/dist/${file}`);
      }
    }
  });

  /** Starts the packed service with new data, and waits until it is ready. */
  async function start() {
    const dataDir = await sandbox.newDataDir();
    const env = settings(dataDir, { SLUICE_WORKERS: '1', NODE_ENV: 'production' });
    const args = [path.join(server, 'bin/sluice.js'), 'serve'];
    const service = sandbox.startProcess(process.execPath, args, { cwd: folder, env });
    const [, url = ''] = await service.printed(/ready at (\S+)/);
    const [, key = ''] = await service.printed(/API key {2,}(\S+)/);
    return { service, url, key, dataDir };
  }

  it('prints the version of the packed service', async () => {
    const { version } = JSON.parse(await readFile(path.join(server, 'package.json'), 'utf8'));
    const { code, stdout } = await run(process.execPath, [
      path.join(server, 'bin', 'sluice.js'),
      '--version',
    ]);
    assert.deepEqual([code, stdout], [0, `${version}\n`]);
  });

  it('starts the packed service with the embedded PostgreSQL, ingests a file and serves the web pages', async () => {
    const { service, url, key } = await start();
    const { attributes } = await createClient(url, key).ingest([record()]);
    assert.equal(attributes.status, 'completed');
    for (const page of [
      '/',
      '/scans',
      '/icon.svg',
      '/docs',
      '/docs/page.js',
      '/docs/swagger-ui-bundle.js',
      '/api/v1/openapi.json',
    ])
      assert.equal((await fetch(url + page)).status, 200, page);
    service.signal('SIGTERM');
    assert.deepEqual([(await service.ended).code, service.output.stderr], [0, '']);
  });

  it('returns a row that does not match the API description as it is', async () => {
    const { url, key, dataDir } = await start();
    const postgres = await findRunningPostgres({ dataDir });
    await query(postgres?.url ?? '', "update sluice.users set created_at = 'infinity'");
    const { status, body } = await createClient(url, key).get<Resource[]>('/users');
    assert.deepEqual([status, body.data.map(({ attributes }) => attributes.inserted_at)], [200, [null]]);
  });

  it('serves the API without the console, and reports that the console is missing', async () => {
    await rm(path.join(server, '../console/dist'), { recursive: true });
    const { service, url, key } = await start();
    const { status, body } = await createClient(url, key).get('/limits');
    assert.deepEqual([status, 'errors' in body], [200, false]);
    for (const page of ['/', '/scans']) {
      const response = await fetch(url + page);
      assert.equal(response.status, 404);
      assert.match(await response.text(), /The console is not built\. Run npm ci/);
    }
    assert.match(service.output.stderr + service.output.stdout, /The console is not built/);
  });

  it('includes the types of @sluice/ocsf', async () => {
    const check = async (name: string, code: string) => {
      await writeFile(path.join(folder, name), `import { severityName } from '@sluice/ocsf';\n${code}\n`);
      const flags = ['--ignoreConfig', '--noEmit', '--strict', '--skipLibCheck', 'false', '--lib', 'es2024'];
      const types = ['--types', 'node', '--typeRoots', path.join(MODULES, '@types'), '--module', 'nodenext'];
      const tsc = path.join(MODULES, 'typescript/bin/tsc');
      return await run(process.execPath, [tsc, ...flags, ...types, name], { cwd: folder });
    };
    assert.deepEqual((await check('right.mts', 'export const name: string = severityName(4);')).stdout, '');
    assert.match((await check('wrong.mts', "severityName('high');")).stdout, /not assignable to parameter/);
  });

  it('leaves no build output in the checkout after packing', () => {
    for (const name of BUILT) assert.equal(existsSync(path.join(PACKAGES, name, 'dist')), false);
  });

  it('does not run an old build in a checkout', async () => {
    const checkout = path.join(folder, 'checkout');
    await cp(path.join(PACKAGES, 'server/bin'), path.join(checkout, 'bin'), { recursive: true });
    const files = {
      'package.json': '{"type": "module"}',
      'src/cli/main.ts': "console.log('source')",
      'dist/cli/main.js': '',
    };
    for (const [name, content] of Object.entries(files)) {
      await mkdir(path.dirname(path.join(checkout, name)), { recursive: true });
      await writeFile(path.join(checkout, name), content);
    }
    const { stdout } = await run(process.execPath, [path.join(checkout, 'bin/sluice.js')]);
    assert.equal(stdout, 'source\n');
  });
});

describe('the packed @sluice/ocsf', () => {
  it('exports the same names from the packed @sluice/ocsf as from the source', async () => {
    const [packaged, source] = await Promise.all([
      import('@sluice/ocsf'),
      import('../../../ocsf/src/index.ts'),
    ]);
    assert.deepEqual(Object.keys(packaged).sort(), Object.keys(source).sort());
  });
});

/** Installs without a registry: links only the declared dependencies to the packages that `npm ci` installed. */
async function install(folder: string, name: (typeof PACKED)[number]): Promise<void> {
  const packing = ['pack', '--json', '--pack-destination', folder];
  const { stdout, stderr } = await run('npm', packing, { cwd: path.join(PACKAGES, name), env: process.env });
  assert.match(stdout, /"filename"/, stderr);
  const tarball = (await readdir(folder)).find((file) => file.startsWith(`sluice-${name}-`)) ?? '';
  const target = path.join(folder, 'node_modules', '@sluice', name);
  await mkdir(target, { recursive: true });
  await run('tar', ['-xzf', path.join(folder, tarball), '-C', target, '--strip-components=1']);
  const manifest: Manifest = JSON.parse(await readFile(path.join(target, 'package.json'), 'utf8'));
  const dependencies = Object.keys({ ...manifest.dependencies, ...manifest.optionalDependencies });
  for (const dependency of dependencies.filter((each) => !each.startsWith('@sluice/'))) {
    if (!existsSync(path.join(MODULES, dependency))) continue;
    const link = path.join(folder, 'node_modules', dependency);
    await mkdir(path.dirname(link), { recursive: true });
    await symlink(path.join(MODULES, dependency), link);
  }
}
