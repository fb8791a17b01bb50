import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { after, before, describe, it } from 'node:test';
import { isMuted } from '../../src/mutelist/mutelist.ts';
import { readMutelist } from '../../src/mutelist/read-mutelist.ts';
import { makeFolder, runProgramHere } from '../cli/run-scanner.ts';

const CHECK = 'signon_global_session_idle_timeout_15min';
const ACME = 'acme.directory.com';

/** A mutelist with one entry, which mutes everything by default. */
function entry({
  account = '"*"',
  check = '"*"',
  regions = '["*"]',
  resources = '["*"]',
  more = '',
}: Readonly<Partial<Record<'account' | 'check' | 'regions' | 'resources' | 'more', string>>>): string {
  return `Mutelist:\n  Accounts:\n    ${account}:\n      Checks:\n        ${check}:\n          Regions: ${regions}\n          Resources: ${resources}\n${more}`;
}

describe('the mutelist', () => {
  let folder: string;
  let remove: () => Promise<void>;
  before(async () => {
    ({ folder, remove } = await makeFolder());
  });
  after(() => remove());

  const ignore = () => undefined;
  const log = { debug: ignore, info: ignore, warn: ignore, error: ignore };
  let files = 0;
  const write = async (content: string): Promise<string> => {
    files += 1;
    await writeFile(`${folder}/${files}.yaml`, content);
    return `${folder}/${files}.yaml`;
  };
  const mutes = async (
    content: string,
    { domain = ACME, check = CHECK, name = 'Default Policy', id = '00p1' } = {},
  ): Promise<boolean> => {
    const mutelist = await readMutelist(await write(content), [CHECK], log);
    const verdict = { status: 'FAIL', detail: '', resource: { id, name, data: null } } as const;
    return isMuted(mutelist, domain, check, verdict);
  };
  const errorOf = async (content: string): Promise<string> => {
    const file = await write(content);
    const { code, stdout, stderr } = await runProgramHere([
      'directory',
      '--mutelist-file',
      file,
      '--list-services',
    ]);
    assert.deepEqual({ code, stdout }, { code: 2, stdout: '' });
    const [, message] = /^scanner: (.*) \[mutelist\]\n$/.exec(stderr) ?? assert.fail(stderr);
    return (message ?? '').replace(file, 'mutes.yaml');
  };

  it("recognizes checks and resource placeholders by any vendor's names", async () => {
    const okta = 'authenticator_okta_verify_fips_compliant';
    const directory = 'authenticator_directory_verify_fips_compliant';
    for (const [written, check] of [
      [okta, directory],
      [directory, okta],
    ] as const) {
      assert.equal(await mutes(entry({ check: written }), { check }), true, written);
      assert.equal(await mutes(entry({ check: written })), false);
    }
    for (const [resources, name, id] of [
      ['[okta-network-zones]', 'Directory Network Zones', 'directory-network-zones'],
      ['[Directory Network Zones]', 'Okta Network Zones', 'okta-network-zones'],
      ['[directory_enduser]', 'okta_enduser', '0oa1'],
    ] as const)
      assert.equal(await mutes(entry({ resources }), { name, id }), true, resources);
    assert.equal(await mutes(entry({ resources: '[directory-zones]' }), { name: 'zones' }), false);
  });

  it('mutes only findings that match the account, check, region and resource', async () => {
    const exact = { account: ACME, check: CHECK, regions: '[global]', resources: '[Default Policy]' };
    assert.equal(await mutes(entry(exact)), true);
    assert.equal(await mutes(entry({ ...exact, account: 'other.directory.com' })), false);
    assert.equal(await mutes(entry({ ...exact, check: 'signon_global_session_lifetime_18h' })), false);
    assert.equal(await mutes(entry({ ...exact, regions: '[us-east-1]' })), false);
    assert.equal(await mutes(entry({ ...exact, resources: '[Other Policy]' })), false);
  });

  it('accepts global or * as the region in the mutelist', async () => {
    assert.equal(await mutes(entry({ regions: '[global]' })), true);
    assert.equal(await mutes(entry({ regions: '["*"]' })), true);
  });

  it('matches the complete account name, regardless of letter case', async () => {
    assert.equal(await mutes(entry({ account: 'Acme.Directory.com' })), true);
    assert.equal(await mutes(entry({ account: 'acme' })), false);
  });

  it('matches resources by name and by ID', async () => {
    assert.equal(await mutes(entry({ resources: '[00p1]' })), true);
    assert.equal(await mutes(entry({ resources: '[nobody, Default Policy]' })), true);
  });

  it('requires a pattern to match the complete name or ID', async () => {
    assert.equal(await mutes(entry({ resources: '[Default]' })), false);
    assert.equal(await mutes(entry({ resources: '["Default*"]' })), true);
    assert.equal(await mutes(entry({ resources: '["Default.*"]' })), true);
    assert.equal(await mutes(entry({ resources: '["(Default|Other) Policy"]' })), true);
    assert.equal(await mutes(entry({ resources: '["Default|Policy"]' })), false);
    assert.equal(await mutes(entry({ check: '"signon_*"' })), true);
    assert.equal(await mutes(entry({ check: 'signon' })), false);
    assert.equal(await mutes(entry({ check: '"signon_.*_15min"' })), true);
  });

  it('matches a name with brackets and dots literally as well as by pattern', async () => {
    const name = 'Policy (EU) v1.0+';
    assert.equal(await mutes(entry({ resources: `["${name}"]` }), { name }), true);
    assert.equal(await mutes(entry({ resources: "['Policy \\(EU\\) v.*']" }), { name }), true);
  });

  it('ignores mutelist entries with tags, because findings have no tags', async () => {
    assert.equal(await mutes(entry({ more: '          Tags: [env=dev]\n' })), false);
    assert.equal(await mutes(entry({ more: '          Tags: ["*"]\n' })), true);
  });

  it('does not mute a finding that matches all conditions of an exception', async () => {
    const excepting = (lines: string) => entry({ more: `          Exceptions:\n${lines}` });
    assert.equal(await mutes(excepting(`            Accounts: [${ACME}]\n`)), false);
    assert.equal(await mutes(excepting('            Accounts: [gov.directory.com]\n')), true);
    assert.equal(await mutes(excepting('            Resources: [00p1]\n')), false);
    assert.equal(
      await mutes(excepting(`            Accounts: [${ACME}]\n            Resources: [Other]\n`)),
      true,
    );
    assert.equal(await mutes(excepting('            Regions: []\n')), true, 'an empty exception');
  });

  it('reports mutelist errors with file, line and column', async () => {
    const position = (content: string) => errorOf(content);
    assert.match(
      await position(entry({ more: '          Resorces: [a]\n' })),
      /^mutes\.yaml:8:11: the key 'Resorces' is unknown: \* accepts Regions and Resources/,
    );
    assert.equal(
      await position(
        'Mutelist:\n  Accounts:\n    "*":\n      Checks:\n        "*":\n          Regions: ["*"]\n',
      ),
      'mutes.yaml:5:9: Resources is missing',
    );
    assert.equal(
      await position(entry({ resources: '"*"' })),
      'mutes.yaml:7:11: Resources must be a list of strings',
    );
    assert.equal(
      await position(entry({ resources: '[ok, 7]' })),
      'mutes.yaml:7:27: item 2 of Resources must be a string; put it in quotes',
    );
    assert.match(await position(entry({ regions: '[]' })), /^mutes\.yaml:6:11: Regions must not be empty/);
    assert.match(
      await position(entry({ resources: '["a("]' })),
      /^mutes\.yaml:7:23: 'a\(' is not a valid regular expression; escape/,
    );
    assert.match(await position(''), /^mutes\.yaml:1:1: the file accepts the key Mutelist/);
    assert.match(await position('Mutelist:\n  Accounts: [\n'), /^mutes\.yaml:3:1: /);
    assert.match(
      await position('Mutelist:\n  Account: {}\n'),
      /^mutes\.yaml:1:1: Accounts is missing|^mutes\.yaml:2:3: the key 'Account'/,
    );
  });

  it('reports a mutelist file that is missing or is not a text file', async () => {
    const { code, stderr } = await runProgramHere(['directory', '-w', 'nowhere.yaml', '--list-services']);
    assert.equal(code, 2);
    assert.equal(
      stderr,
      'scanner: --mutelist-file nowhere.yaml cannot be read: the file does not exist [mutelist]\n',
    );
    await writeFile(`${folder}/latin.yaml`, Buffer.from([0x4d, 0xfc, 0x0a]));
    const latin = await runProgramHere(['directory', '-w', `${folder}/latin.yaml`, '--list-services']);
    assert.match(latin.stderr, /latin\.yaml cannot be read: it is not UTF-8 text \[mutelist\]\n$/);
  });

  it('warns about a mutelist entry that matches no check', async () => {
    const file = await write(entry({ check: 'systemlog_streaming_enable' }));
    const { code, stderr } = await runProgramHere(['directory', '-w', file, '--list-services']);
    assert.equal(code, 0);
    assert.match(
      stderr,
      /^WARNING .*:5:9: 'systemlog_streaming_enable' matches no check; did you mean 'systemlog_streaming_enabled'\?\n$/,
    );
  });
});
