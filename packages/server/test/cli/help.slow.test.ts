import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { after, describe, it } from 'node:test';
import { ADMIN_COMMANDS } from '../../src/cli/administration.ts';
import { SETTING_NAMES } from '../../src/config/config.ts';
import { createSandbox } from '../support/sandbox.ts';

const COMMANDS = ['serve', 'migrate', ...Object.keys(ADMIN_COMMANDS)];

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
    it(`sluice ${args.join(' ')} lists every command with its arguments`, async () => {
      const overview = await print(...args);
      const listed = [...overview.matchAll(/^ {2}sluice ((?:[a-z][a-z-]* ?)+)/gm)].map(([, name = '']) =>
        name.trim(),
      );
      assert.deepEqual(listed, COMMANDS);
      assert.match(overview, /^ {2}sluice api-key create --tenant ID --user EMAIL \[/m);
    });

  it('prints the same help for COMMAND --help and help COMMAND', async () => {
    assert.equal(await print('user', 'create', '--help'), await print('help', 'user', 'create'));
  });

  it('sluice serve --help lists every setting with its default', async () => {
    const help = await print('serve', '--role', 'api', '--help');
    const [, settings = ''] = help.split('\nSettings');
    const listed = [...settings.matchAll(/^ {2}([A-Z][A-Z0-9_]+) {2,}\S/gm)].map(([, name = '']) => name);
    assert.deepEqual(listed.toSorted(), [...SETTING_NAMES].sort());
    assert.match(settings, /^ {2}PORT .*\(default: 8080\)$/m);
  });
});
