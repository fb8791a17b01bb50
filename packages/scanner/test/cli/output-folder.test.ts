import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { refuse } from '../push/support/behaviors.ts';
import { accepted } from '../push/support/documents.ts';
import { KEY } from '../push/support/run-push.ts';
import { startService } from '../push/support/service.ts';
import { makeScanFolder, type ScanFolder } from './scan-folder.ts';

/** Each scan runs in a separate process, because TMPDIR is read from the process environment. */
describe('unwritable folders', { concurrency: 2 }, () => {
  let scans: ScanFolder;
  before(async () => {
    scans = await makeScanFolder();
  });
  after(() => scans.remove());

  it('reports before the scan that the output folder cannot be created', {
    skip: process.platform !== 'linux' && 'needs /proc',
  }, async () => {
    const { emulator, scan } = await scans.organization({ organization: 'compliant' });
    const { code, stdout, stderr } = await scan(['-o', '/proc/x']);
    assert.deepEqual({ code, stdout }, { code: 1, stdout: '' });
    const expectedMessage =
      /^scanner: The output folder \/proc\/x cannot be written: .*-o\. \[output_unwritable\]\n$/;
    assert.match(stderr, expectedMessage);
    assert.equal(emulator.requests.length, 0);
  });

  for (const [description, behavior, kept] of [
    ['and removes the file afterwards', accepted, ['scan.csv']],
    ['and reports the file when the push fails', refuse(402, ''), ['scan.csv', 'scan.ocsf.json']],
  ] as const)
    it(`pushes from the output folder if the temporary directory is not writable, ${description}`, async (context) => {
      const service = await startService(context, { uploads: [behavior] });
      const { scan } = await scans.organization({ organization: 'compliant' });
      const env = {
        SCANNER_CLOUD_API_KEY: KEY,
        SCANNER_CLOUD_API_BASE_URL: service.url,
        TMPDIR: path.join(scans.folder, 'not-there'),
      };
      const folder = `out-${kept.length}`;
      const args = ['--push-to-cloud', '-s', 'systemlog', '-M', 'csv', '-o', folder, '-F', 'scan', '-b'];
      const { code, stderr } = await scan(args, { env });
      assert.equal(code, 0);
      assert.match(stderr, /The temporary directory \S+not-there is not writable \(ENOENT\); set TMPDIR/);
      assert.doesNotMatch(stderr, /\n +at /);
      assert.equal(service.uploads()[0]?.form?.file?.name, 'scan.ocsf.json');
      assert.deepEqual((await readdir(path.join(scans.folder, folder))).sort(), kept);
      const isNamed = stderr.includes(`The OCSF results are in ${folder}/scan.ocsf.json\n`);
      assert.equal(isNamed, kept.length === 2, stderr);
    });
});
