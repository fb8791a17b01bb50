import assert from 'node:assert/strict';
import path from 'node:path';
import { after, before, describe, it, type TestContext } from 'node:test';
import {
  makeScanFolder,
  type ScanFolder,
  type ScannedOrganization,
} from '../../../scanner/test/cli/scan-folder.ts';
import { itInWholeRun } from '../support/is-whole-run.ts';
import { findingsOfFile, reportedFile, runScan, type ScanRun } from './support/scan-run.ts';
import type { Reply } from './support/stand-in.ts';
import {
  JOB_ID,
  jobDocument,
  pending,
  type ServiceResponses,
  startStandInService,
} from './support/stand-in-service.ts';

const RECORDS = 115;

const failedJob = (): Reply => ({
  status: 200,
  body: jobDocument({ status: 'failed', total: RECORDS, processed: RECORDS, invalid: 2 }),
});

const twoErrors = (): Reply => ({
  status: 200,
  body: {
    data: [3, 7].map((index) => ({
      type: 'ingestion-errors',
      id: `${index}`,
      attributes: {
        ...{ code: 'missing_field', detail: `Record ${index} has no message`, record_index: index },
        ...{ byte_offset: 100 * index, pointer: '/message', finding_uid: null },
      },
    })),
    meta: { version: 'v1', counts: { missing_field: 2 } },
  },
});

describe('a pushed scan whose job fails', () => {
  let scans: ScanFolder;
  let mixed: ScannedOrganization;
  before(async () => {
    scans = await makeScanFolder();
    mixed = await scans.organization({ organization: 'mixed' });
  });
  after(() => scans.remove());

  const push = async (t: TestContext, responses: ServiceResponses, ...words: string[]) => {
    const standIn = await startStandInService(t, { onUpload: () => pending(RECORDS), ...responses });
    const env = { SCANNER_CLOUD_API_KEY: 'of-a-stand-in', SCANNER_CLOUD_API_BASE_URL: standIn.url };
    const run = await runScan(scans, mixed, ['--push-to-cloud', ...words], { env });
    return { ...run, standIn };
  };
  const assertKept = async (run: ScanRun) => {
    assert.deepEqual(run.temporary, [reportedFile(run)]);
    assert.equal((await findingsOfFile(reportedFile(run))).length, RECORDS);
  };

  it("reports processed and invalid records with the first errors, keeps the file, and exits with the scan's exit code", async (t) => {
    const responses = { onJob: failedJob, onErrors: twoErrors };
    const run = await push(t, responses, '--wait', '-M', 'csv');
    assert.equal(run.code, 3);
    const expected = [
      `Results: pushed, ${RECORDS} records`,
      `  Ingestion job: ${JOB_ID}`,
      `  Scans: ${run.standIn.url}/scans`,
      `  failed: ${RECORDS} of ${RECORDS} records processed, 2 invalid`,
      '  Errors by code: missing_field 2',
      '    record 3 at byte 300, /message: Record 3 has no message [missing_field]',
      '    record 7 at byte 700, /message: Record 7 has no message [missing_field]',
    ];
    assert.ok(run.stdout.endsWith(`\n${expected.join('\n')}\n`), run.stdout);
    await assertKept(run);

    const ignored = await push(t, responses, '--wait', '-z');
    assert.equal(ignored.code, 0);
    assert.equal(path.relative(ignored.folder, reportedFile(ignored)), 'results/scan.ocsf.json');
  });

  it("does not poll the job without --wait, and exits with the scan's exit code", async (t) => {
    const run = await push(t, { onJob: failedJob, onErrors: twoErrors }, '-M', 'csv');
    assert.deepEqual([run.code, run.temporary], [3, []]);
    assert.ok(run.stdout.endsWith(`\n  Scans: ${run.standIn.url}/scans\n`));
    assert.equal(run.standIn.received.at(-1)?.method, 'POST');
  });

  itInWholeRun(
    'reports an unknown job result after a timeout or service failure, and keeps the file',
    async (t) => {
      const still = jobDocument({ status: 'processing', total: RECORDS, processed: 5, invalid: 0 });
      const slow = await push(
        t,
        { onJob: () => ({ status: 200, body: still }) },
        ...['--wait', '--wait-timeout', '1', '-M', 'csv'],
      );
      assert.match(
        slow.stderr,
        new RegExp(
          `^Waiting for the job failed: job ${JOB_ID} did not finish within 1 s; .+ \\[wait_timeout\\]$`,
          'm',
        ),
      );
      const broken = await push(t, { onJob: () => ({ status: 500 }) }, '--wait', '-M', 'csv');
      assert.match(
        broken.stderr,
        /^Waiting for the job failed: GET \S+ returned 500; .+ \[service_failed\]$/m,
      );
      for (const run of [slow, broken]) {
        assert.equal(run.code, 3);
        // The job exists, so its ID must be printed.
        assert.match(run.stdout, new RegExp(`\n {2}Ingestion job: ${JOB_ID}\n`));
        await assertKept(run);
      }
    },
  );

  it('reports a usage error for --wait, --wait-timeout or --label without the flag that it requires', async () => {
    const { emulator } = mixed;
    const before = emulator.requests.length + emulator.tokenRequests.length;
    for (const [words, message] of [
      [['--wait'], 'scanner: --wait requires --push-to-cloud [usage]\n'],
      [['--label', 'branch=main'], 'scanner: --label requires --push-to-cloud [usage]\n'],
      [['--push-to-cloud', '--wait-timeout', '5'], 'scanner: --wait-timeout requires --wait [usage]\n'],
    ] as const) {
      const { code, stdout, stderr } = await mixed.scan(words);
      assert.deepEqual([code, stdout, stderr], [2, '', message]);
    }
    assert.equal(emulator.requests.length + emulator.tokenRequests.length, before);
  });
});
