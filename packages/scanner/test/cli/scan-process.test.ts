import assert from 'node:assert/strict';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { z } from 'zod';
import { itInWholeRun } from '../../../server/test/support/is-whole-run.ts';
import { type RunOptions, type RunResult, runScanner } from './run-scanner.ts';
import { FAST, makeScanFolder, type ScanFolder } from './scan-folder.ts';

describe('scanner directory in a separate process', () => {
  let scans: ScanFolder;
  before(async () => {
    scans = await makeScanFolder();
  });
  after(() => scans.remove());

  itInWholeRun('prints no banner with --no-banner', async () => {
    const { scan } = await scans.organization({ organization: 'compliant' });
    assert.equal((await scan(['-b', '-s', 'network', '-M', 'csv', '-o', 'quiet'])).stderr, '');
  });

  it('returns the exit code of the scan even if stdout and stderr are closed early', async () => {
    const { scan } = await scans.organization({ organization: 'non-compliant' });
    const { code } = await scan(['-M', 'json-ocsf', '-o', '.', '-F', 'piped', '--verbose'], {
      started: (child) => {
        child.stdout?.destroy();
        child.stderr?.destroy();
      },
    });
    assert.equal(code, 3);
    assert.ok((await scans.records('piped.ocsf.json')).length > 29);
  });

  it('exits with 130 on Ctrl-C and writes no file', async () => {
    const { emulator } = await scans.organization({ organization: 'mixed' });
    const { code, stderr } = await runScanner(
      ['directory', '--directory-requests-per-second', '0.5', '-o', 'stopped'],
      {
        cwd: scans.folder,
        env: emulator.environment(),
        started: (child) => child.stderr?.once('data', () => child.kill('SIGINT')),
      },
    );
    assert.equal(code, 130);
    assert.match(stderr, /\nscanner: interrupted; no more output is written\n$/);
    assert.deepEqual(await readdir(path.join(scans.folder, 'stopped')), []);
  });

  it('reports invalid settings in one line before sending any requests', async () => {
    const { emulator, scan } = await scans.organization({ organization: 'compliant' });
    await writeFile(path.join(scans.folder, 'file'), '');
    const errorOf = async (
      args: readonly string[],
      options: RunOptions,
      expected: Pick<RunResult, 'code'>,
    ) => {
      const { code, stdout, stderr } = await scan(args, options);
      assert.deepEqual({ code, stdout }, { ...expected, stdout: '' });
      assert.match(stderr, /^scanner: .+\n$/);
      return stderr;
    };
    const none = { DIRECTORY_ORG_URL: '', DIRECTORY_CLIENT_ID: '', DIRECTORY_PRIVATE_KEY: '' };
    assert.match(
      await errorOf([], { env: none }, { code: 1 }),
      /DIRECTORY_ORG_DOMAIN .*DIRECTORY_CLIENT_ID .*DIRECTORY_PRIVATE_KEY/,
    );
    assert.match(await errorOf(['-o', 'file/inside'], {}, { code: 1 }), /file\/inside cannot be written/);
    assert.match(await errorOf(['-F', 'a/b'], {}, { code: 2 }), /not a plain file name/);
    assert.match(
      await errorOf(['--log-file', 'file/log'], {}, { code: 2 }),
      /--log-file file\/log cannot be written/,
    );
    assert.equal(emulator.requests.length + emulator.tokenRequests.length, 0);
  });

  itInWholeRun('writes JSON lines to the log file', async () => {
    const { emulator } = await scans.organization({ organization: 'compliant' });
    const args = [
      'directory',
      FAST,
      '-b',
      '--log-level',
      'debug',
      '--log-file',
      'scan.log',
      '-s',
      'network',
      '-o',
      'log',
    ];
    const { stderr } = await runScanner(args, { cwd: scans.folder, env: emulator.environment() });
    assert.match(stderr, /^DEBUG /m);
    const text = await readFile(path.join(scans.folder, 'scan.log'), 'utf8');
    const line = z.object({ time: z.iso.datetime(), level: z.string(), message: z.string() });
    const lines = text
      .trim()
      .split('\n')
      .map((json) => line.parse(JSON.parse(json)));
    assert.ok(lines.some(({ level }) => level === 'DEBUG'));
    assert.doesNotMatch(text, /PRIVATE KEY|eyJ/);
  });
});
