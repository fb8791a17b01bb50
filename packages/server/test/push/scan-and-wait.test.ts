import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { runScanner } from '../../../scanner/test/cli/run-scanner.ts';
import {
  makeScanFolder,
  type ScanFolder,
  type ScannedOrganization,
} from '../../../scanner/test/cli/scan-folder.ts';
import { createClient } from '../support/client.ts';
import { isWholeRun, itInWholeRun } from '../support/is-whole-run.ts';
import { joinService, type SharedService } from '../support/lanes.ts';
import { STORED_FINDINGS } from '../support/stored-findings.ts';
import { readStored } from '../support/stored-frames.ts';
import { findingsIn, findingsOfFile, runScan } from './support/scan-run.ts';

const ALL_NEW =
  /\n {2}completed: 115 of 115 records processed, 0 invalid\n {2}Findings: 115 new\n {2}Newly failed: 1 high, 42 medium, 17 low, 1 informational\n$/;
const ALL_UNCHANGED =
  /\n {2}completed: 115 of 115 records processed, 0 invalid\n {2}Findings: 115 unchanged\n {2}Newly failed: none\n$/;

describe('pushed scans', () => {
  let service: SharedService;
  let scans: ScanFolder;
  let mixed: ScannedOrganization;
  let compliant: ScannedOrganization;
  before(async () => {
    [service, scans] = await Promise.all([joinService(), makeScanFolder()]);
    mixed = await scans.organization({ organization: 'mixed' });
    compliant = await scans.organization({ organization: 'compliant' });
  });
  after(async () => {
    await Promise.all([service.leave(), scans.remove()]);
  });

  const env = () => ({ SCANNER_CLOUD_API_KEY: service.key, SCANNER_CLOUD_API_BASE_URL: service.url });
  const push = (scanned: ScannedOrganization, ...words: string[]) =>
    runScan(scans, scanned, ['--push-to-cloud', ...words], { env: env() });
  const jobIdIn = (stdout: string) => /^ {2}Ingestion job: (\S+)$/m.exec(stdout)?.[1] ?? '';
  const jobs = async () => {
    const [row] = await service.sql<{ count: number }>('select count(*)::int from ingestions');
    return row?.count;
  };

  it('ingests all findings of a scan for one provider, and returns the same job for a repeated push', async () => {
    const { code, folder, stdout, temporary } = await push(mixed, '--wait');
    assert.deepEqual([code, temporary], [3, []]);
    assert.match(stdout, ALL_NEW);
    const file = path.join(folder, 'results/scan.ocsf.json');
    const found = await findingsOfFile(file);
    assert.equal(found.length, 115);
    const byUid = (one: { uid: string }, other: { uid: string }) => (one.uid < other.uid ? -1 : 1);
    assert.deepEqual(
      (
        await service.sql<{ uid: string; status: string }>(`select f.uid, f.status from ${STORED_FINDINGS} f`)
      ).sort(byUid),
      found.sort(byUid),
    );
    assert.deepEqual(await service.sql('select type, account from providers'), [
      { type: 'directory', account: new URL(mixed.emulator.url).host },
    ]);

    const again = await runScanner(['push', '--wait', file], { env: env() });
    assert.deepEqual([again.code, again.stderr], [0, '']);
    assert.match(again.stdout, /: already pushed, 115 records\n/);
    assert.match(again.stdout, ALL_NEW);
    assert.equal(jobIdIn(again.stdout), jobIdIn(stdout));
    assert.equal(await jobs(), 1);
    assert.deepEqual(await service.sql('select id from ingestions'), [{ id: jobIdIn(stdout) }]);
  });

  itInWholeRun(
    'creates another job with the same findings when the organization is scanned again',
    async () => {
      const before = await jobs();
      const { code, stdout, temporary } = await push(mixed, '--wait', '-M', 'csv');
      assert.deepEqual([code, temporary], [3, []]);
      assert.match(stdout, ALL_UNCHANGED);
      assert.equal(await jobs(), (before ?? 0) + 1);
      assert.deepEqual(await service.sql('select count(*)::int from findings'), [{ count: 115 }]);
      assert.deepEqual(await service.sql('select count(*)::int from providers'), [{ count: 1 }]);
    },
  );

  it('labels the upload of a scan', async () => {
    const { code, stdout } = await push(compliant, '--label', 'branch=main', '--label', 'commit=c0ffee');
    assert.equal(code, 0);
    const { body } = await createClient(service.url, service.key).get(`/ingestions/${jobIdIn(stdout)}`);
    assert.deepEqual(body.data.meta.labels, { branch: 'main', commit: 'c0ffee' });
  });

  itInWholeRun('pushes only the findings that --status selects for the result file', async () => {
    for (const format of isWholeRun ? ['json-ocsf', 'csv'] : ['json-ocsf']) {
      const { code, folder, stdout } = await push(mixed, '--status', 'FAIL', '-M', format);
      assert.equal(code, 3);
      const job = await createClient(service.url, service.key).ended(jobIdIn(stdout));
      assert.deepEqual(job.attributes.summary, { total: 61, processed: 61, invalid: 0 });
      const { content } = await readStored(service, job);
      assert.deepEqual(new Set(findingsIn(content).map(({ status }) => status)), new Set(['FAIL']));
      const file = path.join(folder, 'results/scan.ocsf.json');
      if (format === 'json-ocsf') assert.ok(content.equals(await readFile(file)));
    }
  });

  it('pushes nothing for a scan without findings, and prints the path of the result file', async () => {
    const before = await jobs();
    const nothing = 'Nothing to push: the scan has no findings\n';
    const outputs = [
      ['json-ocsf', `${nothing}The OCSF results are in results/scan.ocsf.json\n`],
      ['csv', nothing],
    ] as const;
    for (const [format, told] of isWholeRun ? outputs : outputs.slice(0, 1)) {
      const run = await push(mixed, '-s', 'systemlog', '--status', 'FAIL', '-b', '--wait', '-M', format);
      assert.deepEqual([run.code, run.stderr, run.temporary], [0, told, []]);
      assert.doesNotMatch(run.stdout, /push|Ingestion job/i);
    }
    // FAILs in the scan determine the exit code even if --status excludes them.
    const hidden = await push(mixed, '-s', 'idp', '--status', 'MUTED', '-b', '-M', 'csv');
    assert.deepEqual([hidden.code, hidden.stderr], [3, nothing]);
    assert.equal(await jobs(), before);
  });

  it("waits for the job with --wait, and exits with the scan's exit code", async () => {
    const clean = await push(compliant, '--wait', '--wait-timeout', '0');
    assert.equal(clean.code, 0);
    assert.match(
      clean.stdout,
      /\n {2}completed: (\d+) of \1 records processed, 0 invalid\n {2}Findings: \1 unchanged\n {2}Newly failed: none\n$/,
    );
    const ignored = await push(mixed, '--wait', '-z');
    assert.equal(ignored.code, 0);
    assert.match(ignored.stdout, ALL_UNCHANGED);
  });
});
