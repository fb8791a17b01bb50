import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createIngestionClient, type Ingestion } from '../../src/client/index.ts';
import { refuse, respond } from '../push/support/behaviors.ts';
import {
  changes,
  coverageNotApplied,
  findingList,
  JOB,
  jobChanged,
  jobErrors,
  jobIs,
} from '../push/support/documents.ts';
import { startService } from '../push/support/service.ts';
import { runWithClient } from './run-with-client.ts';
import { openClient, pushError } from './support.ts';

test("returns a job's current status", async (context) => {
  const service = await startService(context, { jobs: [jobIs('processing', { processed: 1, invalid: 1 })] });
  assert.deepEqual(await openClient(context, service).status(JOB), {
    id: JOB,
    status: 'processing',
    summary: { total: 3, processed: 1, invalid: 1 },
    findings: null,
    coverage: null,
    warnings: null,
  });
});

test('accepts an API key with a trailing line break', async (context) => {
  const service = await startService(context);
  await openClient(context, service, { apiKey: ' abc\r\n' }).status(JOB);
  assert.equal(service.requests[0]?.headers.authorization, 'Api-Key abc');
});

test('escapes a job ID in the request URL', async (context) => {
  const service = await startService(context, { jobs: [refuse(404, 'No such job.')] });
  await pushError(openClient(context, service).status('../limits?a=b'), 'refused');
  assert.equal(service.requests[0]?.path, '/api/v1/ingestions/..%2Flimits%3Fa%3Db');
});

test('reports each job status while waiting and resolves with the finished job', async (context) => {
  const jobs = [
    jobIs('pending'),
    jobIs('processing', { processed: 2 }),
    jobIs('failed', { processed: 3, invalid: 1 }),
  ];
  const service = await startService(context, { jobs });
  const statuses: Ingestion['status'][] = [];
  const result = await openClient(context, service).wait(JOB, {
    onProgress: ({ status }) => statuses.push(status),
  });
  assert.deepEqual(statuses, ['pending', 'processing', 'failed']);
  assert.deepEqual([result.status, result.summary?.invalid], ['failed', 1]);
});

test('stops waiting with the error wait_timeout if the job does not finish, and can wait again', async (context) => {
  const service = await startService(context, {
    jobs: [jobIs('processing'), jobIs('processing'), jobIs('completed', { processed: 3 })],
  });
  const client = openClient(context, service);
  const { message } = await pushError(client.wait(JOB, { timeoutSeconds: 0.3 }), 'wait_timeout');
  assert.match(message, /did not finish within 0\.3 s/);
  assert.equal((await client.wait(JOB)).status, 'completed');
});

test('returns up to the requested number of job errors, with counts by code', async (context) => {
  const service = await startService(context, {
    errors: [jobErrors([{ code: 'invalid_json', detail: 'ends early' }], { invalid_json: 7 })],
  });
  assert.deepEqual(await openClient(context, service).errors(JOB, { limit: 1 }), {
    errors: [
      {
        code: 'invalid_json',
        detail: 'ends early',
        recordIndex: null,
        byteOffset: null,
        pointer: null,
        findingUid: null,
      },
    ],
    counts: { invalid_json: 7 },
  });
  assert.equal(service.requests[0]?.path, `/api/v1/ingestions/${JOB}/errors?page%5Bsize%5D=1`);
});

test('returns the number of warnings of a job, and lists those with a code', async (context) => {
  const service = await startService(context, {
    jobs: [jobChanged({}, { warnings: 2, coverage: 'checks' })],
    warnings: [coverageNotApplied('no record names its product')],
  });
  const client = openClient(context, service);
  const { warnings, coverage } = await client.status(JOB);
  assert.deepEqual([warnings, coverage], [2, 'checks']);
  assert.deepEqual(await client.warnings(JOB, { code: 'coverage_not_applied', limit: 1 }), {
    warnings: [
      {
        code: 'coverage_not_applied',
        detail: 'No findings were resolved: no record names its product.',
        recordIndex: null,
        pointer: null,
        findingUid: null,
        recordCount: null,
      },
    ],
    counts: { coverage_not_applied: 1 },
  });
  const query = new URL(service.requests.at(-1)?.path ?? '', service.url).searchParams;
  assert.deepEqual(Object.fromEntries(query), {
    'page[size]': '1',
    'filter[code]': 'coverage_not_applied',
  });
});

test('returns how a job changed findings only when it has ended, and lists the newly failed ones', async (context) => {
  const counts = { new: { high: 2 }, newly_failed: { high: 1 } };
  const service = await startService(context, {
    jobs: [jobChanged(counts, { status: 'processing' }), jobChanged(counts)],
    findings: [findingList([{ id: 'one', severity: 'high' }]), findingList([])],
  });
  const client = openClient(context, service);
  const { newly_failed: newlyFailed, ...others } = changes(counts);
  assert.equal((await client.status(JOB)).findings, null);
  assert.deepEqual((await client.status(JOB)).findings, { ...others, newlyFailed });
  assert.deepEqual(await client.newlyFailed(JOB, { severities: ['high'] }), [
    {
      id: 'one',
      severity: 'high',
      checkId: 'bucket_public',
      checkTitle: 'Buckets are not public',
      resource: 'one',
      account: '111122223333',
    },
  ]);
});

test('reports a key that cannot list findings as permission_denied', async (context) => {
  const service = await startService(context, { findings: [refuse(403, 'No.')] });
  const { message } = await pushError(openClient(context, service).newlyFailed(JOB), 'permission_denied');
  assert.match(message, /permission read_findings/);
});

test('reports an unexpected response as not_understood', async (context) => {
  const service = await startService(context, {
    jobs: [respond(200, { data: { id: JOB } })],
    errors: [respond(200, [])],
    findings: [respond(200, { data: [{ id: 'one' }] })],
  });
  const client = openClient(context, service);
  await pushError(client.status(JOB), 'not_understood');
  await pushError(client.wait(JOB), 'not_understood');
  await pushError(client.errors(JOB), 'not_understood');
  await pushError(client.newlyFailed(JOB), 'not_understood');
});

test('rejects an invalid API key or base URL when a client is created', () => {
  const baseUrl = 'http://127.0.0.1:1';
  assert.throws(() => createIngestionClient({ apiKey: ' ', baseUrl }), { code: 'missing_api_key' });
  assert.throws(() => createIngestionClient({ apiKey: 'a\nb', baseUrl }), { code: 'invalid_api_key' });
  assert.throws(() => createIngestionClient({ apiKey: 'a', baseUrl: 'ftp://a' }), {
    code: 'invalid_base_url',
  });
  const env = { HTTP_PROXY: 'http://:bad' };
  assert.throws(() => createIngestionClient({ apiKey: 'a', baseUrl, env }), { code: 'invalid_proxy' });
});

test('lets the process exit after a client is closed', async (context) => {
  const service = await startService(context, { jobs: [jobIs('pending')] });
  const { code, stdout, seconds } = await runWithClient(
    `console.log((await client.status('${JOB}')).status); await client.close();`,
    service,
  );
  assert.deepEqual({ code, stdout }, { code: 0, stdout: 'pending\n' });
  assert.ok(seconds < 30, `the process exited after ${seconds} s`);
});

test('aborts requests in progress when a client is closed', async (context) => {
  const service = await startService(context, { jobs: [() => undefined] });
  const { code, stdout, seconds } = await runWithClient(
    `const pending = client.status('${JOB}').catch((error) => console.log(error.name, error.code));
     setTimeout(() => client.close(), 300);
     await pending;`,
    service,
  );
  assert.deepEqual({ code, stdout }, { code: 0, stdout: 'PushError connection_lost\n' });
  assert.ok(seconds < 30, `the process exited after ${seconds} s`);
});
