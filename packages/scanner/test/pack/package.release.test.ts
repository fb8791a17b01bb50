import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { startEmulator } from '../../../directory-emulator/src/index.ts';
import { CONTENT, KEY, makeFiles } from '../push/support/run-push.ts';
import { startService } from '../push/support/service.ts';
import { type Packaged, packageScanner, run } from './support.ts';

const skip =
  (process.platform !== 'linux' || process.arch !== 'x64') && 'the executable is only built on Linux x64';

describe('executable from npm run package in an empty folder without Node.js', { skip }, () => {
  let packaged: Packaged;
  let folder: string;
  let scanner: string;
  before(async () => {
    packaged = await packageScanner('--only', 'executable');
    folder = await mkdtemp(path.join(tmpdir(), 'scanner-executable-'));
    const name = Object.keys(packaged.files).find((each) => each.endsWith('-linux-x64')) ?? '';
    scanner = path.join(packaged.folder, name);
  });
  after(async () => {
    await packaged?.remove();
    await rm(folder, { recursive: true, force: true });
  });

  it('prints the same version as the tarball', async () => {
    const { stdout, stderr } = await run(scanner, ['--version'], { cwd: folder, env: {} });
    assert.equal(stderr, '');
    assert.ok(`sluice-scanner-${stdout.trim()}.tgz` in packaged.files, stdout);
  });

  it('scans an organization and writes every output format', async () => {
    const emulator = await startEmulator({ organization: 'compliant' });
    try {
      const args = ['directory', '--directory-requests-per-second', '0', '-o', 'results', '-M'];
      const formats = ['csv', 'json-ocsf', 'html', 'sarif', 'junit'];
      const { stdout } = await run(scanner, [...args, ...formats], {
        cwd: folder,
        env: emulator.environment(),
      });
      assert.match(stdout, /29 checks; \d+ management API requests/);
      assert.equal((await readdir(path.join(folder, 'results'))).length, formats.length + 1);
    } finally {
      await emulator.stop();
    }
  });

  it('pushes a file with the executable', async (context) => {
    const service = await startService(context);
    const cwd = await makeFiles(context);
    const env = { SCANNER_CLOUD_API_KEY: KEY, SCANNER_CLOUD_API_BASE_URL: service.url };
    const { stdout } = await run(scanner, ['push', '--wait', 'a.ocsf.json'], { cwd, env });
    assert.match(stdout, /\n {2}completed: 3 of 3 records processed/);
    assert.equal(service.uploads()[0]?.form?.file?.content.toString(), CONTENT);
  });

  it('includes the licenses of the bundled packages in the tarball', async () => {
    const text = await readFile(`${scanner}.LICENSES.txt`, 'utf8');
    for (const name of ['@sluice/scanner', 'undici', 'zod', 'commander', 'Node.js'])
      assert.ok(text.includes(name), name);
  });
});
