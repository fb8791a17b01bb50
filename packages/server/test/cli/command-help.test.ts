import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { COMMANDS, runInProcess } from '../support/run-in-process.ts';

/** Settings that every command reads. */
const DATABASE_SETTINGS = ['DATABASE_URL', 'DATABASE_URL_FILE', 'SLUICE_DATA_DIR'];

describe('command help', () => {
  for (const { name, options, positionals } of COMMANDS)
    it(`describes the arguments, options and settings of sluice ${name}`, async () => {
      const { stdout } = await runInProcess([...name.split(' '), '--help']);
      assert.ok(stdout.startsWith(`Usage: sluice ${name} `), stdout);
      for (const option of options)
        assert.match(stdout, new RegExp(`^ {2}(?:-h, )?${option}(?: <\\S+>)? {2,}\\S`, 'm'), option);
      for (const argument of positionals)
        assert.match(stdout, new RegExp(`^ {2}${argument} {2,}\\S`, 'm'), argument);
      for (const setting of DATABASE_SETTINGS)
        assert.match(stdout, new RegExp(`^ {2}${setting} {2,}\\S`, 'm'), setting);
    });

  it('lists all commands of a command group', async () => {
    const { stdout } = await runInProcess(['help', 'user']);
    assert.deepEqual(stdout.match(/^ {2}user [a-z-]+/gm), ['  user create', '  user set-permissions']);
  });

  it('does not run the command if its arguments follow', async () => {
    const { exitCode, stdout } = await runInProcess(['help', 'tenant', 'create', 'Acme']);
    assert.equal(exitCode, 0);
    assert.match(stdout, /^Usage: sluice tenant create /);
  });
});
