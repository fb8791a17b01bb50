import assert from 'node:assert/strict';
import { once } from 'node:events';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { createClient } from '../support/client.ts';
import { CLOSING, filePart, multipart, partHead } from '../support/multipart.ts';
import { type OpenRequest, openUpload } from '../support/open-request.ts';
import { record } from '../support/records.ts';
import { assertRefused } from '../support/refusal.ts';
import { createSandbox } from '../support/sandbox.ts';
import { createSecondTenant } from '../support/second-tenant.ts';
import type { Service } from '../support/service.ts';
import { until } from '../support/until.ts';

const FILE = JSON.stringify([record()]);
const BODY = multipart([filePart(FILE)]);

/** An upload that waits for 100 Continue; `begun` resolves when it arrives. */
interface Asking extends OpenRequest {
  readonly begun: Promise<unknown>;
  readonly hasBegun: () => boolean;
}

function ask(service: Service, key: string): Asking {
  const open = openUpload(
    { ...service, key },
    { expect: '100-continue', 'content-length': String(BODY.length) },
  );
  open.request.on('error', () => undefined);
  let hasBegun = false;
  const begun = once(open.request, 'continue').then(() => {
    hasBegun = true;
  });
  begun.catch(() => undefined);
  open.request.flushHeaders();
  return { ...open, begun, hasBegun: () => hasBegun };
}

async function finish({ request, response }: OpenRequest): Promise<void> {
  request.end(BODY);
  assert.equal((await response).status, 202);
}

describe('concurrent uploads', () => {
  const sandbox = createSandbox();
  let service: Service;
  let mine: string;
  let theirs: string;
  before(async () => {
    service = await sandbox.startService({ SLUICE_UPLOADS_AT_ONCE: '4', SLUICE_UPLOAD_QUEUE_SECONDS: '60' });
    mine = service.key;
    theirs = (await createSecondTenant(service)).key;
  });
  after(() => sandbox.clear());

  it('queues uploads above the concurrency limit and sends 100 Continue when a slot is free', async () => {
    const asking = Array.from({ length: 6 }, () => ask(service, mine));
    const begun = () => asking.filter(({ hasBegun }) => hasBegun());
    await until(async () => begun().length === 3);
    // The tenant has three of the four slots; the fourth is for other tenants, whose requests are served immediately.
    assert.equal((await createClient(service.url, mine).get('/limits')).status, 200);
    assert.equal(begun().length, 3);
    const other = ask(service, theirs);
    await other.begun;
    await finish(other);
    const ended = new Set<Asking>();
    while (ended.size < asking.length) {
      const next = await until(async () => begun().find((upload) => !ended.has(upload)));
      ended.add(next);
      await finish(next);
      assert.ok(begun().length - ended.size <= 3);
    }
  });

  it('does not delay a tenant behind 1,000 queued uploads of another tenant', {
    timeout: 120_000,
  }, async () => {
    // Uses a single slot, because with more slots, one would always be free for the other tenant.
    const narrow = await sandbox.startService({
      SLUICE_UPLOADS_AT_ONCE: '1',
      SLUICE_UPLOAD_QUEUE_SECONDS: '60',
    });
    const other = (await createSecondTenant(narrow)).key;
    const crowd = Array.from({ length: 1000 }, () => ask(narrow, narrow.key));
    const begun = () => crowd.filter(({ hasBegun }) => hasBegun()).length;
    // The slot is taken, and each upload that ends is followed by another.
    await until(async () => begun() === 1);
    const ended = new Set<Asking>();
    const finishOne = async () => {
      const next = crowd.find((upload) => upload.hasBegun() && !ended.has(upload));
      if (next === undefined) return;
      ended.add(next);
      await finish(next);
    };
    for (let time = 0; time < 20; time++) await finishOne();
    const few = Array.from({ length: 4 }, () => ask(narrow, other));
    const turnsBefore = begun();
    // The uploads may start in any order.
    for (const left = new Set(few); left.size > 0; ) {
      const next = [...left].find(({ hasBegun }) => hasBegun());
      if (next === undefined) {
        await finishOne();
        await Promise.race([...[...left].map(({ begun }) => begun), sleep(10)]);
      } else {
        left.delete(next);
        await finish(next);
      }
    }
    const turns = begun() - turnsBefore;
    assert.ok(
      turns <= 12,
      `${turns} uploads of the busy tenant were processed before four of another tenant`,
    );
    for (const { request } of crowd) request.destroy();
    const last = ask(narrow, narrow.key);
    await last.begun;
    await finish(last);
  });

  it('returns 503 for an upload that waits too long and drops one whose client disconnects', async () => {
    const short = await sandbox.startService({
      SLUICE_UPLOADS_AT_ONCE: '1',
      SLUICE_UPLOAD_QUEUE_SECONDS: '2',
    });
    const running = openUpload(short, { expect: '100-continue' });
    running.request.flushHeaders();
    await once(running.request, 'continue');
    const send = running.send;
    await send(`${partHead(filePart(''))}${FILE}`);

    const gone = ask(short, short.key);
    await sleep(200);
    gone.request.destroy();
    const waiting = ask(short, short.key);
    const sent = await createClient(short.url, short.key).upload(FILE);
    const response = await waiting.response;
    for (const refused of [sent, response]) {
      const { meta } = assertRefused(refused, {
        status: 503,
        code: 'too_many_uploads',
        detail: /waited 2 seconds in the queue, because the server accepts at most 1 concurrent upload\./,
      });
      assert.deepEqual(meta, { limit: 'uploads_at_once', max: 1 });
      assert.ok(Number(refused.headers.get('retry-after')) > 0);
    }
    assert.ok(!waiting.hasBegun());
    assert.doesNotMatch(short.output.stderr, /the request failed/);
    running.request.end(`\r\n${CLOSING}`);
    assert.equal((await running.response).status, 202);
    const next = ask(short, short.key);
    await next.begun;
    await finish(next);
  });

  for (const [places, share] of [
    [2, 1],
    [3, 2],
  ] as const) {
    it(`keeps one of ${places} upload slots for other tenants and names the per-tenant limit in the error`, async () => {
      const few = await sandbox.startService({
        SLUICE_UPLOADS_AT_ONCE: String(places),
        SLUICE_UPLOAD_QUEUE_SECONDS: '2',
      });
      const other = (await createSecondTenant(few)).key;
      const asking = Array.from({ length: places }, () => ask(few, few.key));
      const running = () => asking.filter(({ hasBegun }) => hasBegun());
      await until(async () => running().length >= share);
      const theirs = ask(few, other);
      await Promise.race([theirs.begun, theirs.response]);
      assert.ok(theirs.hasBegun(), 'the other tenant has no slot');
      const waiting = asking.find(({ hasBegun }) => !hasBegun());
      assert.ok(waiting, 'one tenant has all slots');
      const { meta } = assertRefused(await waiting.response, {
        status: 503,
        code: 'too_many_uploads',
        detail: new RegExp(
          `waited 2 seconds in the queue, because the server accepts at most ${share} concurrent uploads? per tenant`,
        ),
      });
      assert.deepEqual(meta, { limit: 'uploads_at_once_per_tenant', max: share });
      for (const upload of [...running(), theirs]) await finish(upload);
    });
  }

  it('does not count time in the upload queue towards the minimum upload rate', async () => {
    const strict = await sandbox.startService({
      SLUICE_UPLOADS_AT_ONCE: '1',
      SLUICE_UPLOAD_PACE_SECONDS: '1',
      SLUICE_UPLOAD_MIN_BYTES_PER_SECOND: '100000',
    });
    const running = openUpload(strict, { expect: '100-continue' });
    running.request.flushHeaders();
    await once(running.request, 'continue');
    const waiting = ask(strict, strict.key);
    // Does not keep the process running after a failure.
    const pace = setInterval(() => running.request.write(' '.repeat(50_000)), 50).unref();
    await running.send(`${partHead(filePart(''))}${FILE}`);
    await sleep(3000);
    clearInterval(pace);
    assert.ok(!waiting.hasBegun());
    running.request.end(`\r\n${CLOSING}`);
    assert.equal((await running.response).status, 202);
    await waiting.begun;
    await finish(waiting);
  });
});
