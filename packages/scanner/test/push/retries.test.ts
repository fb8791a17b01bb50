import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isWholeRun, itInWholeRun } from '../../../server/test/support/is-whole-run.ts';
import { closeAfter, page, refuse, reset, respondEarly } from './support/behaviors.ts';
import { accepted } from './support/documents.ts';
import { bigContent, failureOf, makeFiles, pushOne, runPush } from './support/run-push.ts';
import { startService } from './support/service.ts';

const RETRIES = { SCANNER_CLOUD_RETRIES_MAX_ATTEMPTS: '2' };

describe('push retries', { concurrency: 2 }, () => {
  for (const status of isWholeRun ? [502, 503, 504] : [502])
    it(`retries the same push after ${status}`, async (context) => {
      const service = await startService(context, { uploads: [page(status), page(status), accepted] });
      const { code, stdout, stderr } = await pushOne(context, { service, env: RETRIES });
      assert.equal(code, 0);
      assert.match(stdout, /^a\.ocsf\.json: pushed, 3 records\n/);
      const reason = new RegExp(
        `^(WARNING POST /api/v1/ingestions: the response was ${status}; retrying in [\\d.]+ s\n){2}$`,
      );
      assert.match(stderr, reason);
      const keys = service.uploads().map(({ headers }) => headers['idempotency-key']);
      assert.equal(keys.length, 3);
      assert.equal(new Set(keys).size, 1);
      const contents = service.uploads().map(({ form }) => form?.file?.content.toString());
      assert.equal(new Set(contents).size, 1);
    });

  it("fails the push with the service's message after the last retry", async (context) => {
    const service = await startService(context, { uploads: [refuse(503, 'Maintenance until noon.')] });
    const { code, message, retries } = failureOf(await pushOne(context, { service, env: RETRIES }));
    assert.equal(code, 'service_failed');
    assert.match(message, /returned 503: Maintenance until noon; try again later/);
    assert.deepEqual([service.uploads().length, retries.length], [3, 2]);
  });

  const times = [
    ['seconds', () => '2'],
    ['a date', () => new Date(Date.now() + 3_000).toUTCString()],
  ] as const;
  for (const [description, retryAfter] of isWholeRun ? times : times.slice(0, 1))
    it(`waits for as long as Retry-After specifies in ${description}`, async (context) => {
      const arrivals: number[] = [];
      const service = await startService(context, {
        uploads: [() => refuse(429, 'Too many.', { 'retry-after': retryAfter() }), () => accepted].map(
          (behavior) => (exchange) => {
            arrivals.push(performance.now());
            return behavior()(exchange);
          },
        ),
      });
      assert.equal((await pushOne(context, { service, env: RETRIES })).code, 0);
      const [first = 0, second = 0] = arrivals;
      // The date has a resolution of one second, so the remaining time was between two and three seconds.
      assert.ok(second - first > 1_990, `${second - first} ms`);
    });

  it('does not retry a push after a Retry-After of one hour', async (context) => {
    const service = await startService(context, { uploads: [refuse(429, '', { 'retry-after': '3600' })] });
    const { code, message, retries } = failureOf(await pushOne(context, { service, env: RETRIES }));
    assert.equal(code, 'rate_limited');
    assert.match(message, /the rate limit of the key is exceeded \(429\); try again later/);
    assert.deepEqual([service.uploads().length, retries], [1, []]);
  });

  it('retries the same push after the connection is closed', async (context) => {
    const content = bigContent();
    const service = await startService(context, { uploads: [closeAfter(2 ** 20), accepted] });
    const cwd = await makeFiles(context, { 'a.ocsf.json': content });
    const { code, stderr } = await runPush(['a.ocsf.json'], { cwd, service, env: RETRIES });
    assert.equal(code, 0);
    assert.match(stderr, /^WARNING POST \/api\/v1\/ingestions: the connection to http\S+ was lost [^\n]*\n/);
    const [first, second] = service.uploads();
    assert.ok(first?.headers['idempotency-key'] !== undefined);
    assert.equal(first.headers['idempotency-key'], second?.headers['idempotency-key']);
    assert.ok(second?.form?.file?.content.equals(content));
  });

  itInWholeRun('fails the push if every connection is closed during the upload', async (context) => {
    const service = await startService(context, { uploads: [closeAfter(2 ** 20)] });
    const cwd = await makeFiles(context, { 'a.ocsf.json': bigContent() });
    const { code, message } = failureOf(await runPush(['a.ocsf.json'], { cwd, service, env: RETRIES }));
    assert.equal(code, 'connection_lost');
    assert.match(message, /^the connection to http:\/\/127\.0\.0\.1:\d+ was lost \(\w+\); check the URL/);
    assert.equal(service.uploads().length, 3);
  });

  it('retries a push after a connection reset', async (context) => {
    const service = await startService(context, { uploads: [reset, accepted] });
    const { code, stderr } = await pushOne(context, { service, env: RETRIES });
    assert.equal(code, 0);
    assert.match(stderr, /^WARNING POST \/api\/v1\/ingestions: .* was lost \(ECONNRESET\)/);
    assert.equal(service.uploads().length, 2);
  });

  it('retries a push once after 500, with the same idempotency key', async (context) => {
    const service = await startService(context, { uploads: [refuse(500, ''), accepted] });
    const { code, stderr } = await pushOne(context, { service, env: RETRIES });
    assert.equal(code, 0);
    assert.match(stderr, /^WARNING POST \/api\/v1\/ingestions: the response was 500; retrying/);
    const [first, second, ...more] = service.uploads().map(({ headers }) => headers['idempotency-key']);
    assert.ok(first !== undefined && first === second && more.length === 0);
  });

  it("fails the push with the service's message after the second 500", async (context) => {
    const service = await startService(context, { uploads: [refuse(500, 'A fault.')] });
    const { code, message } = failureOf(await pushOne(context, { service, env: RETRIES }));
    assert.equal(code, 'service_failed');
    assert.match(message, /returned 500: A fault; try again later/);
    assert.equal(service.uploads().length, 2);
  });

  it('reads a response that arrives while a large file is being sent', async (context) => {
    const early = respondEarly(413, { errors: [{ detail: '24 MB are too many.' }] });
    const service = await startService(context, { uploads: [early] });
    const cwd = await makeFiles(context, { 'a.ocsf.json': bigContent() });
    const { code, message } = failureOf(await runPush(['a.ocsf.json'], { cwd, service, env: RETRIES }));
    assert.equal(code, 'upload_too_large');
    assert.match(message, /24 MB are too many$/);
    assert.equal(service.uploads().length, 1);
  });
});
