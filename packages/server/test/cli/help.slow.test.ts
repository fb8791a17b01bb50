import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { after, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { SETTING_NAMES } from '../../src/config/config.ts';
import { run } from '../support/process.ts';
import { COMMANDS } from '../support/run-in-process.ts';
import { createSandbox } from '../support/sandbox.ts';

const BIN = fileURLToPath(new URL('../../bin/sluice.js', import.meta.url));

describe('help and version', { concurrency: 4 }, () => {
  const sandbox = createSandbox();
  after(() => sandbox.clear());

  /** Runs with an invalid setting, because help must not depend on valid settings. */
  const print = async (...args: string[]): Promise<string> => {
    const dataDir = await sandbox.newDataDir();
    const { code, stdout, stderr } = await sandbox.sluice(dataDir, args, { PORT: 'eighty' });
    assert.deepEqual([code, stderr], [0, ''], args.join(' '));
    assert.deepEqual(await readdir(dataDir), []);
    return stdout;
  };

  for (const word of ['--version', '-v'])
    it(`prints the package version for ${word}`, async () => {
      const manifest = await readFile(new URL('../../package.json', import.meta.url), 'utf8');
      assert.equal(await print(word), `${JSON.parse(manifest).version}\n`);
    });

  for (const args of [['help'], ['--help'], ['-h']])
    it(`sluice ${args.join(' ')} lists every command`, async () => {
      const overview = await print(...args);
      const [, commands = ''] = overview.split('\nCommands:\n');
      const listed = [...commands.matchAll(/^ {2}((?:[a-z][a-z-]* )+)\[options\]/gm)].map(([, name = '']) =>
        name.trim(),
      );
      assert.deepEqual(listed, [...COMMANDS.map(({ name }) => name), 'help']);
      assert.match(overview, /^ {2}api-key revoke \[options\] <prefix> {2}/m);
    });

  it('prints the same help for COMMAND --help and help COMMAND', async () => {
    assert.equal(await print('user', 'create', '--help'), await print('help', 'user', 'create'));
  });

  it('ends without an error if the reader of the output closes the pipe', async () => {
    const script = 'set -o pipefail; "$0" "$1" help serve | true';
    const { code, stderr } = await run('bash', ['-c', script, process.execPath, BIN]);
    assert.deepEqual([code, stderr], [0, '']);
  });

  it('sluice serve --help lists every setting with its default', async () => {
    const help = await print('serve', '--role', 'api', '--help');
    const [, settings = ''] = help.split('\nSettings');
    const listed = [...settings.matchAll(/^ {2}([A-Z][A-Z0-9_]+) {2,}\S/gm)].map(([, name = '']) => name);
    assert.deepEqual(listed.toSorted(), [...SETTING_NAMES].sort());
    assert.match(settings, /^ {2}PORT .*\(default: 8080\)$/m);
  });
});
