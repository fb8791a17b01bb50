import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { refuse, respond } from './support/behaviors.ts';
import { accepted, JOB, job, jobErrors, jobIs } from './support/documents.ts';
import { CONTENT, makeFiles, runPush } from './support/run-push.ts';
import { startService } from './support/service.ts';

const NO_RESULT = {
  ingestion_id: null,
  replayed: false,
  status: null,
  summary: null,
  findings: null,
  scans_url: null,
  errors: [],
  warnings: [],
  dry_run: null,
  gate: null,
};

/** Parses stdout, which must contain exactly one JSON document. */
function parsed(stdout: string): unknown {
  return JSON.parse(stdout);
}

describe('scanner push --json', { concurrency: 2 }, () => {
  it('prints only the job for each file on stdout', async (context) => {
    const service = await startService(context);
    const cwd = await makeFiles(context, { 'a.json': CONTENT, 'b.json': CONTENT });
    const { code, stdout, stderr } = await runPush(['--json', 'a.json', 'b.json'], { cwd, service });
    assert.deepEqual({ code, stderr }, { code: 0, stderr: '' });
    const pushed = {
      ingestion_id: JOB,
      replayed: false,
      status: 'pending',
      summary: { total: 3, processed: 0, invalid: 0 },
      findings: null,
      scans_url: `${service.url}/scans`,
      errors: [],
      warnings: [],
      problem: null,
      dry_run: null,
      gate: null,
    };
    assert.deepEqual(parsed(stdout), [
      { file: 'a.json', ...pushed },
      { file: 'b.json', ...pushed },
    ]);
  });

  it('reports whether a push was replayed, and the link that the service returned', async (context) => {
    const { data, meta } = job('completed', { processed: 3 });
    const document = { data, meta: { ...meta, scans_url: 'https://sluice.example/scans' } };
    const replay = respond(202, document, { 'idempotency-replayed': 'true' });
    const service = await startService(context, { uploads: [replay] });
    const cwd = await makeFiles(context, { 'a.json': CONTENT });
    const { stdout } = await runPush(['--json', 'a.json'], { cwd, service });
    assert.deepEqual(parsed(stdout), [
      {
        file: 'a.json',
        ingestion_id: JOB,
        replayed: true,
        status: 'completed',
        summary: { total: 3, processed: 3, invalid: 0 },
        findings: null,
        scans_url: 'https://sluice.example/scans',
        errors: [],
        warnings: [],
        problem: null,
        dry_run: null,
        gate: null,
      },
    ]);
  });

  it('reports an error for each file, including skipped files', async (context) => {
    const service = await startService(context, {
      uploads: [refuse(400, 'No JSON.'), refuse(402, ''), accepted],
    });
    const cwd = await makeFiles(context, { 'a.json': '[1]', 'b.json': '[2]', 'c.json': '[3]' });
    const { code, stdout } = await runPush(['--json', 'a.json', 'b.json', 'c.json'], { cwd, service });
    assert.equal(code, 1);
    const unpaid = {
      code: 'subscription_required',
      message: "pushing requires an active subscription (402); activate a subscription for the key's tenant",
    };
    const refused = { code: 'refused', message: 'POST /api/v1/ingestions returned 400: No JSON' };
    assert.deepEqual(parsed(stdout), [
      { file: 'a.json', ...NO_RESULT, problem: refused },
      { file: 'b.json', ...NO_RESULT, problem: unpaid },
      { file: 'c.json', ...NO_RESULT, problem: unpaid },
    ]);
    assert.equal(service.uploads().length, 2);
  });

  it('reports a missing API key for each file', async (context) => {
    const cwd = await makeFiles(context, { 'a.json': CONTENT, 'b.json': CONTENT });
    const env = { SCANNER_CLOUD_API_KEY: '' };
    const { code, stdout } = await runPush(['--json', 'a.json', 'b.json'], { cwd, env });
    assert.equal(code, 1);
    const problem = {
      code: 'missing_api_key',
      message: 'SCANNER_CLOUD_API_KEY is not set; set it to an API key of the service',
    };
    assert.deepEqual(parsed(stdout), [
      { file: 'a.json', ...NO_RESULT, problem },
      { file: 'b.json', ...NO_RESULT, problem },
    ]);
  });

  it('reports the first errors of a failed job', async (context) => {
    const error = { code: 'invalid_field', detail: 'must be a string', record_index: 1, byte_offset: 25 };
    const service = await startService(context, {
      jobs: [jobIs('failed', { processed: 3, invalid: 1 })],
      errors: [jobErrors([{ ...error, pointer: '/severity' }], { invalid_field: 1 })],
    });
    const cwd = await makeFiles(context, { 'a.json': CONTENT });
    const { code, stdout, stderr } = await runPush(['--json', '--wait', 'a.json'], { cwd, service });
    assert.deepEqual({ code, stderr }, { code: 3, stderr: '' });
    assert.deepEqual(parsed(stdout), [
      {
        file: 'a.json',
        ingestion_id: JOB,
        replayed: false,
        status: 'failed',
        summary: { total: 3, processed: 3, invalid: 1 },
        findings: null,
        scans_url: `${service.url}/scans`,
        errors: [{ ...error, pointer: '/severity', finding_uid: null }],
        warnings: [],
        problem: null,
        dry_run: null,
        gate: null,
      },
    ]);
  });

  it('prints nothing on stdout for an invalid command line', async (context) => {
    const service = await startService(context);
    const { code, stdout } = await runPush(['--json', 'missing.json'], {
      cwd: await makeFiles(context),
      service,
    });
    assert.deepEqual({ code, stdout }, { code: 2, stdout: '' });
  });
});
