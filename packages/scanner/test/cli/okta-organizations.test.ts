import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { z } from 'zod';
import { ORGANIZATION_NAMES } from '../../../directory-emulator/src/index.ts';
import { isWholeRun } from '../../../server/test/support/is-whole-run.ts';
import { runProgramHere } from './run-scanner.ts';
import { makeScanFolder, type ScanFolder } from './scan-folder.ts';

const countsSchema = z.object({ PASS: z.number(), FAIL: z.number(), MANUAL: z.number() });
const expectedSchema = z.record(z.string(), z.record(z.string(), z.record(z.string(), countsSchema)));

async function readExpected(file: string): Promise<z.output<typeof expectedSchema>> {
  const table = new URL(`../../../directory-emulator/organizations/${file}`, import.meta.url);
  return expectedSchema.parse(JSON.parse(await readFile(table, 'utf8')));
}

const OTHER_DIRECTORIES = /Active ?Directory|\bACTIVE_DIRECTORY|external[ -]directory|LDAP directory/gi;

/** In an Okta scan, check IDs contain `okta_verify`. */
const inDirectoryWords = (id: string) => id.replace('_okta_verify_', '_directory_verify_');

/** The mixed organization has findings of every status. */
const ORGANIZATIONS = isWholeRun ? ORGANIZATION_NAMES : (['mixed'] as const);

describe('scanner directory for Okta organizations', () => {
  let scans: ScanFolder;
  before(async () => {
    scans = await makeScanFolder(runProgramHere);
  });
  after(() => scans.remove());

  it('returns the expected verdicts for emulated Okta organizations', async () => {
    const [expected, okta] = [await readExpected('expected.json'), await readExpected('expected-okta.json')];
    for (const organization of ORGANIZATIONS)
      for (const role of ['super-admin', 'read-only'] as const) {
        const directory = expected[organization]?.[role];
        if (directory === undefined) continue;
        const { scan } = await scans.organization({ organization, role, dialect: 'okta' });
        const stem = `${organization}-${role}`;
        await scan(['--dialect', 'okta', '-M', 'json-ocsf', '-o', '.', '-F', stem, '-b']);
        const found: Record<string, z.output<typeof countsSchema>> = {};
        for (const id of Object.keys(directory)) found[id] = { PASS: 0, FAIL: 0, MANUAL: 0 };
        for (const { metadata, status_code } of await scans.records(`${stem}.ocsf.json`)) {
          const counts = found[inDirectoryWords(metadata.event_code)];
          assert.ok(counts !== undefined, metadata.event_code);
          counts[status_code] += 1;
        }
        assert.deepEqual(found, { ...directory, ...okta[organization]?.[role] }, stem);
      }
  });

  it('uses Okta terms in every output of an Okta scan', async () => {
    for (const organization of ORGANIZATIONS) {
      const { scan } = await scans.organization({ organization, dialect: 'okta' });
      const folder = `words-${organization}`;
      const formats = ['-M', 'csv', 'json-ocsf', 'html', 'sarif', 'junit'];
      const { stdout } = await scan([
        ...['--dialect', 'okta', ...formats, '-o', folder, '-F', 'scan', '--verbose'],
      ]);
      assert.match(stdout, /Compliance with Okta-IDaaS-STIG-1R2/);
      const files = await readdir(path.join(scans.folder, folder), { recursive: true, withFileTypes: true });
      const texts = await Promise.all(
        files
          .filter((file) => file.isFile())
          .map(async ({ parentPath, name }) => await readFile(path.join(parentPath, name), 'utf8')),
      );
      for (const text of [...texts, stdout]) {
        const own = text.replaceAll(OTHER_DIRECTORIES, '');
        const at = own.search(/directory/i);
        assert.equal(at, -1, `${organization}: ${own.slice(Math.max(0, at - 60), at + 60)}`);
      }
    }
  });
});
