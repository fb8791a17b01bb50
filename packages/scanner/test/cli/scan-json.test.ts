import assert from 'node:assert/strict';
import { access, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { z } from 'zod';
import { refuse } from '../push/support/behaviors.ts';
import { JOB } from '../push/support/documents.ts';
import { KEY } from '../push/support/run-push.ts';
import { startService } from '../push/support/service.ts';
import { runProgramHere } from './run-scanner.ts';
import { makeScanFolder, type ScanFolder } from './scan-folder.ts';

const count = z.number().int().nonnegative();
const documentSchema = z.strictObject({
  scan_id: z.uuidv7(),
  started_at: z.iso.datetime(),
  scanner_version: z.string(),
  provider: z.string(),
  organization: z.string(),
  coverage: z.enum(['partial', 'checks', 'account']),
  coverage_reason: z.string().nullable(),
  checks: z.strictObject({ evaluated: count, broken: z.array(z.string()) }),
  findings: z.strictObject({
    total: count,
    by_status: z.strictObject({ fail: count, pass: count, manual: count, muted: count }),
    failed_by_severity: z.record(z.string(), count),
  }),
  files: z.array(z.strictObject({ format: z.string(), path: z.string() })),
  requests: z.strictObject({
    management_api: count,
    token: count,
    repeated: count,
    waits: count,
    waited_seconds: z.number(),
  }),
  push: z.looseObject({ file: z.string().nullable() }).nullable(),
});

describe('scanner directory --json', () => {
  let scans: ScanFolder;
  before(async () => {
    scans = await makeScanFolder(runProgramHere);
  });
  after(() => scans.remove());

  it('prints one JSON document with files, counts and requests on stdout', async () => {
    const { emulator, scan } = await scans.organization({ organization: 'mixed' });
    const { code, stdout, stderr } = await scan(['--json', '-b', '-o', 'json', '-F', 'scan']);
    assert.deepEqual({ code, stderr }, { code: 3, stderr: '' });
    const document = documentSchema.parse(JSON.parse(stdout));
    const records = await scans.records('json/scan.ocsf.json');
    const withStatus = (status: string) => records.filter((record) => record.status_code === status).length;
    assert.deepEqual(document.findings.by_status, {
      fail: withStatus('FAIL'),
      pass: withStatus('PASS'),
      manual: withStatus('MANUAL'),
      muted: 0,
    });
    assert.equal(document.findings.total, records.length);
    const bySeverity = Object.values(document.findings.failed_by_severity);
    assert.equal(
      bySeverity.reduce((sum, number) => sum + number, 0),
      withStatus('FAIL'),
    );
    assert.deepEqual(
      document.files.map(({ format }) => format),
      ['csv', 'json-ocsf', 'html', 'compliance', 'compliance'],
    );
    for (const file of document.files) await access(path.join(scans.folder, file.path));
    assert.equal(document.requests.management_api, emulator.requests.length);
    assert.equal(document.scan_id, records[0]?.unmapped.scan_id);
    assert.deepEqual([document.checks.evaluated, document.push], [29, null]);
  });

  it('prints the coverage of the OCSF file, and why it is partial', async () => {
    const { scan } = await scans.organization({ organization: 'compliant' });
    for (const [flags, coverage, reason] of [
      [[], 'account', null],
      [['-s', 'systemlog'], 'checks', null],
      [['--status', 'PASS'], 'partial', '--status omits findings'],
    ] as const) {
      const { stdout } = await scan(['--json', '-M', 'json-ocsf', ...flags]);
      const document = documentSchema.parse(JSON.parse(stdout));
      assert.deepEqual([document.coverage, document.coverage_reason], [coverage, reason]);
    }
  });

  it('writes the JSON document to --json-file and prints the results as usual', async (context) => {
    const service = await startService(context);
    const { scan } = await scans.organization({ organization: 'compliant' });
    const env = { SCANNER_CLOUD_API_KEY: KEY, SCANNER_CLOUD_API_BASE_URL: service.url };
    const args = ['--push-to-cloud', '-o', 'both', '--json-file', 'both/scan.json'];
    const read = () => readFile(path.join(scans.folder, 'both/scan.json'), 'utf8');
    const text = await scan([...args, '--verbose', '-s', 'systemlog'], { env });
    assert.match(text.stdout, /^PASS systemlog_streaming_enabled .*\n1 check; /s);
    const document = documentSchema.parse(JSON.parse(await read()));
    assert.deepEqual([document.coverage, document.push?.ingestion_id], ['checks', JOB]);
    const json = await scan([...args, '--json'], { env });
    assert.equal(json.stdout, await read());
  });

  it('empties --json-file if the scan fails, and reports before the scan that the file cannot be written', async () => {
    const { emulator, scan } = await scans.organization({ organization: 'compliant', role: 'none' });
    const file = path.join(scans.folder, 'earlier.json');
    await writeFile(file, '{"coverage":"account"}');
    const failed = await scan(['--json-file', file]);
    assert.deepEqual([failed.code, await readFile(file, 'utf8')], [1, '']);
    const requests = emulator.requests.length;
    const { code, stderr } = await scan(['--json-file', scans.folder]);
    assert.equal(code, 1);
    assert.match(stderr, /^scanner: --json-file \S+ cannot be written: EISDIR.* \[output_unwritable\]\n$/);
    assert.equal(emulator.requests.length, requests);
  });

  it('prints the push result only as JSON', async (context) => {
    const service = await startService(context);
    const { scan } = await scans.organization({ organization: 'mixed' });
    const env = { SCANNER_CLOUD_API_KEY: KEY, SCANNER_CLOUD_API_BASE_URL: service.url };
    const args = ['--json', '--push-to-cloud', '--wait', '-o', 'pushed', '-F', 'scan'];
    const { code, stdout } = await scan(args, { env });
    assert.equal(code, 3);
    const { push } = documentSchema.parse(JSON.parse(stdout));
    assert.deepEqual([push?.file, push?.ingestion_id], ['pushed/scan.ocsf.json', JOB]);
    assert.deepEqual([push?.status, push?.problem], ['completed', null]);
  });

  it('prints the error from a failed push and the path of the OCSF results', async (context) => {
    const service = await startService(context, { uploads: [refuse(402, '')] });
    const { scan } = await scans.organization({ organization: 'compliant' });
    const env = { SCANNER_CLOUD_API_KEY: KEY, SCANNER_CLOUD_API_BASE_URL: service.url };
    const { code, stdout, stderr } = await scan(['--json', '--push-to-cloud', '-M', 'csv'], { env });
    assert.equal(code, 0);
    const { push } = documentSchema.parse(JSON.parse(stdout));
    assert.match(JSON.stringify(push?.problem), /"code":"subscription_required"/);
    assert.match(await readFile(push?.file ?? '', 'utf8'), /^\[/);
    assert.ok(stderr.includes(`The OCSF results are in ${push?.file}\n`), stderr);
  });

  it('prints nothing on stdout if the scan fails', async () => {
    const { scan } = await scans.organization({ organization: 'compliant', role: 'none' });
    const { code, stdout } = await scan(['--json']);
    assert.deepEqual({ code, stdout }, { code: 1, stdout: '' });
  });
});
