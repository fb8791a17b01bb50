import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import { describe, it } from 'node:test';
import { itInWholeRun } from '../../../server/test/support/is-whole-run.ts';
import { page, refuse } from './support/behaviors.ts';
import { JOB, jobErrors, jobIs } from './support/documents.ts';
import { makeFiles, type PushRun, runPush } from './support/run-push.ts';
import { startService } from './support/service.ts';

type Waiting = PushRun & { readonly flags?: readonly string[] };

async function pushAndWait(context: Parameters<typeof makeFiles>[0], { flags = [], ...run }: Waiting) {
  return await runPush(['--wait', ...flags, 'a.ocsf.json'], { cwd: await makeFiles(context), ...run });
}

describe('scanner push --wait', { concurrency: 2 }, () => {
  it('polls the job until it is completed', async (context) => {
    const jobs = [
      jobIs('pending'),
      jobIs('processing', { processed: 2 }),
      jobIs('completed', { processed: 3 }),
    ];
    const service = await startService(context, { jobs });
    const { code, stdout, stderr } = await pushAndWait(context, { service });
    assert.deepEqual({ code, stderr }, { code: 0, stderr: '' });
    assert.equal(
      stdout,
      `a.ocsf.json: pushed, 3 records\n  Ingestion job: ${JOB}\n  Scans: ${service.url}/scans\n` +
        '  completed: 3 of 3 records processed, 0 invalid\n',
    );
    assert.deepEqual(
      service.polls().map(({ method, path }) => `${method} ${path}`),
      Array(3).fill(`GET /api/v1/ingestions/${JOB}`),
    );
  });

  it('exits with 3 when the job fails, and prints its first errors', async (context) => {
    const errors = [
      {
        code: 'invalid_field',
        detail: 'must be a string',
        record_index: 1,
        byte_offset: 25,
        pointer: '/severity',
      },
      {
        code: 'invalid_json',
        detail: 'ends too \u001b[31mearly',
        record_index: null,
        byte_offset: null,
        pointer: null,
      },
    ];
    const service = await startService(context, {
      jobs: [jobIs('failed', { processed: 3, invalid: 2 })],
      errors: [jobErrors(errors, { invalid_field: 6, invalid_json: 1 })],
    });
    const { code, stdout, stderr } = await pushAndWait(context, { service });
    assert.deepEqual({ code, stderr }, { code: 3, stderr: '' });
    assert.match(stdout, /\n {2}failed: 3 of 3 records processed, 2 invalid\n/);
    assert.match(stdout, /\n {2}Errors by code: invalid_field 6, invalid_json 1\n/);
    assert.match(stdout, /\n {4}record 1 at byte 25, \/severity: must be a string \[invalid_field\]\n/);
    assert.match(stdout, /\n {4}the file: ends too .*early \[invalid_json\]\n/);
    assert.ok(!stdout.includes('\u001b'), 'control characters from the service were printed');
    const url = `${service.url}/api/v1/ingestions/${JOB}/errors`;
    assert.ok(stdout.endsWith(`    and 5 more: GET ${url}\n`), stdout);
  });

  it('stops waiting after --wait-timeout', async (context) => {
    const service = await startService(context, { jobs: [jobIs('processing', { processed: 1 })] });
    const { code, stdout, stderr } = await pushAndWait(context, { service, flags: ['--wait-timeout', '1'] });
    assert.equal(code, 1);
    assert.match(stdout, new RegExp(`^a\\.ocsf\\.json: pushed, 3 records\n  Ingestion job: ${JOB}\n`));
    const expected = `a.ocsf.json: Waiting for the job failed: job ${JOB} did not finish within 1 s; it continues on the server [wait_timeout]\n`;
    assert.equal(stderr, expected);
    assert.ok(service.polls().length >= 2);
  });

  itInWholeRun('does not poll before Retry-After allows it', async (context) => {
    const arrivals: number[] = [];
    const behaviors = [jobIs('processing', {}, { 'retry-after': '2' }), jobIs('completed', { processed: 3 })];
    const service = await startService(context, {
      jobs: behaviors.map((behavior) => (exchange) => {
        arrivals.push(performance.now());
        return behavior(exchange);
      }),
    });
    assert.equal((await pushAndWait(context, { service })).code, 0);
    const [first = 0, second = 0] = arrivals;
    assert.ok(second - first > 1_990, `${second - first} ms`);
  });

  itInWholeRun('caps an excessive Retry-After but still waits between polls', async (context) => {
    let child: ChildProcess | undefined;
    const years = jobIs('processing', {}, { 'retry-after': '99999999' });
    const service = await startService(context, {
      jobs: [
        (exchange) => {
          setTimeout(() => child?.kill(), 1_000);
          return years(exchange);
        },
      ],
    });
    const started: PushRun['started'] = (process) => {
      child = process;
    };
    await pushAndWait(context, { service, started, flags: ['--wait-timeout', '0'] });
    assert.equal(service.polls().length, 1);
  });

  it('continues polling after a transient error response', async (context) => {
    const service = await startService(context, { jobs: [page(503), jobIs('completed', { processed: 3 })] });
    const env = { SCANNER_CLOUD_RETRIES_MAX_ATTEMPTS: '1' };
    const { code, stdout, stderr } = await pushAndWait(context, { service, env });
    assert.equal(code, 0);
    assert.match(stdout, /\n {2}completed: 3 of 3 /);
    assert.match(
      stderr,
      /^WARNING GET \/api\/v1\/ingestions\/\S+: the response was 503; retrying in [\d.]+ s\n$/,
    );
  });

  it("exits with 1 and prints the job ID if the job's result is unknown", async (context) => {
    const service = await startService(context, { jobs: [refuse(404, 'No such job.')] });
    const { code, stdout, stderr } = await pushAndWait(context, { service });
    assert.equal(code, 1);
    assert.match(stdout, new RegExp(`Ingestion job: ${JOB}`));
    assert.match(
      stderr,
      /^a\.ocsf\.json: Waiting for the job failed: GET .* returned 404: No such job \[refused\]\n$/,
    );
  });

  it('reports the failed job if its errors cannot be read', async (context) => {
    const service = await startService(context, {
      jobs: [jobIs('failed', { processed: 3, invalid: 1 })],
      errors: [refuse(500, '')],
    });
    const { code, stdout, stderr } = await pushAndWait(context, { service });
    assert.equal(code, 1);
    assert.match(stdout, /\n {2}failed: 3 of 3 records processed, 1 invalid\n$/);
    assert.match(
      stderr,
      /^a\.ocsf\.json: Reading the result of the job failed: GET .*errors returned 500; .* \[service_failed\]\n$/,
    );
  });
});
