import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ADMIN_COMMANDS } from '../../src/cli/administration.ts';
import { helpFor } from '../../src/cli/command-help.ts';

/** Settings that every command reads. */
const DATABASE_SETTINGS = ['DATABASE_URL', 'DATABASE_URL_FILE', 'SLUICE_DATA_DIR'];

describe('command help', () => {
  for (const name of ['serve', 'migrate', ...Object.keys(ADMIN_COMMANDS)])
    it(`describes the arguments, options and settings of sluice ${name}`, () => {
      const help = helpFor(name.split(' '));
      const [usage = ''] = help.split('\n');
      assert.ok(usage.startsWith(`Usage: sluice ${name}`), usage);
      for (const [option] of usage.matchAll(/--[a-z-]+/g))
        assert.match(help, new RegExp(`^  ${option}(?: \\S+)? {2,}\\S`, 'm'), option);
      for (const [, argument = ''] of usage.matchAll(/ ([A-Z_]+)(?= \[|$| --)/g))
        assert.match(help, new RegExp(`^  (?:--[a-z-]+ )?${argument} {2,}\\S`, 'm'), argument);
      for (const setting of DATABASE_SETTINGS)
        assert.match(help, new RegExp(`^  ${setting} {2,}\\S`, 'm'), setting);
    });

  it('describes all commands of a command group', () => {
    assert.equal(helpFor(['user']).match(/^Usage: .*/gm)?.length, 2);
  });
});
