import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { ALL_CHECKS } from '../src/checks/all-checks.ts';
import { DIRECTORY_HELP } from '../src/cli/help-texts.ts';
import { DIALECTS, SCOPE_RESOURCES, scopeName } from '../src/directory/dialect.ts';
import { checkIds } from '../src/directory/dialect-names.ts';

const page = (name: string) => readFileSync(new URL(`../../../docs/${name}`, import.meta.url), 'utf8');
const guide = page('directory-setup.md');
const pipelines = page('pipelines.md');
const scanner = page('scanner.md');
const folder = new URL('../src/', import.meta.url);
const source = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts'))
  .map((name) => readFileSync(new URL(name, folder), 'utf8'))
  .join('\n');

describe('scanner guides in docs', () => {
  it('documents every scanner error in directory-setup.md or pipelines.md', () => {
    const [, errors = ''] = guide.split('## Troubleshooting');
    const thrown = [...source.matchAll(/(?:new ScannerError|refuse)\(\s*'(\w+)'/g)].map(
      ([, code = '']) => code,
    );
    assert.ok(thrown.length > 20);
    for (const code of new Set(thrown))
      assert.ok(
        errors.includes(`\`${code}\``) || pipelines.includes(`| \`${code}\` |`),
        `no entry for ${code}`,
      );
  });

  it('lists every scope and only existing checks in directory-setup.md', () => {
    for (const resource of SCOPE_RESOURCES) {
      const scope = scopeName(DIALECTS.directory, resource);
      assert.ok(guide.includes(`| \`${scope}\` |`), scope);
    }
    const ids = new Set(ALL_CHECKS.flatMap(({ id }) => checkIds(id)));
    const named = guide.match(
      /`(?:signon|application|authenticator|apitoken|idp|network|systemlog|user)_\w+`/g,
    );
    for (const id of named ?? []) assert.ok(ids.has(id.slice(1, -1)), id);
  });

  it('documents exactly the environment variables that the scanner reads (scanner.md)', () => {
    const read = new Set([
      ...[...source.matchAll(/\benv\.([A-Z_]+)/g)].map(([, name = '']) => name),
      ...[...source.matchAll(/'((?:SCANNER_CLOUD_|LOG_LEVEL|HTTPS?_PROXY|NO_PROXY)[A-Z_]*)'/g)].map(
        ([, name = '']) => name,
      ),
      // Node.js reads this variable.
      'NODE_EXTRA_CA_CERTS',
    ]);
    assert.ok(read.size > 20);
    const [, section = ''] = scanner.split('## Variables');
    const rows = section.match(/^\| `.*$/gm) ?? [];
    const listed = rows.flatMap((row) => (row.split('|')[1] ?? '').match(/[A-Z_]{5,}/g) ?? []);
    assert.deepEqual(listed.sort(), [...read].sort());
    for (const name of read)
      if (/^(DIRECTORY|OKTA)_/.test(name)) assert.ok(DIRECTORY_HELP.includes(name), `--help lists ${name}`);
  });

  it("lists each check's STIG requirement in directory-setup.md", () => {
    for (const { id, stig } of ALL_CHECKS)
      assert.ok(guide.includes(`| \`${id}\` | ${stig.group} | APP-${stig.requirement} |`), id);
  });

  it('lists the Okta domains in directory-setup.md', () => {
    for (const suffix of DIALECTS.okta.domainSuffixes) assert.ok(guide.includes(`\`${suffix}\``), suffix);
  });
});
