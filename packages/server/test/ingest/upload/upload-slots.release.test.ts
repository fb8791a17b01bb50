import assert from 'node:assert/strict';
import { once } from 'node:events';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { createClient } from '../../support/client.ts';
import { CLOSING, filePart, multipart, partHead } from '../../support/multipart.ts';
import { type OpenRequest, openUpload } from '../../support/open-request.ts';
import { record } from '../../support/records.ts';
import { assertRefused } from '../../support/refusal.ts';
import { createSandbox } from '../../support/sandbox.ts';
import { createSecondTenant } from '../../support/second-tenant.ts';
import type { Service } from '../../support/service.ts';
import { until } from '../../support/until.ts';

const FILE = JSON.stringify([record()]);
const BODY = multipart([filePart(FILE)]);

/** An upload that waits for 100 Continue. `started` resolves when the service sends it. */
interface QueuedUpload extends OpenRequest {
  readonly started: Promise<unknown>;
  readonly hasStarted: () => boolean;
}

function queueUpload(service: Service, key: string): QueuedUpload {
  const open = openUpload(
    { ...service, key },
    { expect: '100-continue', 'content-length': String(BODY.length) },
  );
  open.request.on('error', () => undefined);
  let hasStarted = false;
  const started = once(open.request, 'continue').then(() => {
    hasStarted = true;
  });
  started.catch(() => undefined);
  open.request.flushHeaders();
  return { ...open, started, hasStarted: () => hasStarted };
}

async function finish({ request, response }: OpenRequest): Promise<void> {
  request.end(BODY);
  assert.equal((await response).status, 202);
}

describe('concurrent uploads', () => {
  const sandbox = createSandbox();
  let service: Service;
  let key: string;
  let otherKey: string;
  before(async () => {
    service = await sandbox.startService({ SLUICE_UPLOADS_AT_ONCE: '4', SLUICE_UPLOAD_QUEUE_SECONDS: '60' });
    key = service.key;
    otherKey = (await createSecondTenant(service)).key;
  });
  after(() => sandbox.clear());

  it('queues uploads above the concurrency limit and sends 100 Continue when a slot is free', async () => {
    const uploads = Array.from({ length: 6 }, () => queueUpload(service, key));
    const started = () => uploads.filter(({ hasStarted }) => hasStarted());
    await until(async () => started().length === 3);
    // The tenant may use three of the four slots. The fourth is for other tenants, whose requests are served
    // immediately.
    assert.equal((await createClient(service.url, key).get('/limits')).status, 200);
    assert.equal(started().length, 3);
    const other = queueUpload(service, otherKey);
    await other.started;
    await finish(other);
    const ended = new Set<QueuedUpload>();
    while (ended.size < uploads.length) {
      const next = await until(async () => started().find((upload) => !ended.has(upload)));
      ended.add(next);
      await finish(next);
      assert.ok(started().length - ended.size <= 3);
    }
  });

  it('does not delay a tenant behind 1,000 queued uploads of another tenant', {
    timeout: 120_000,
  }, async () => {
    // Uses a single slot, because one of several slots would always be reserved for other tenants.
    const singleSlotService = await sandbox.startService({
      SLUICE_UPLOADS_AT_ONCE: '1',
      SLUICE_UPLOAD_QUEUE_SECONDS: '60',
    });
    const otherKey = (await createSecondTenant(singleSlotService)).key;
    const busyUploads = Array.from({ length: 1000 }, () =>
      queueUpload(singleSlotService, singleSlotService.key),
    );
    const started = () => busyUploads.filter(({ hasStarted }) => hasStarted()).length;
    // The slot is occupied, and another upload starts whenever an upload ends.
    await until(async () => started() === 1);
    const ended = new Set<QueuedUpload>();
    const finishOne = async () => {
      const next = busyUploads.find((upload) => upload.hasStarted() && !ended.has(upload));
      if (next === undefined) return;
      ended.add(next);
      await finish(next);
    };
    for (let time = 0; time < 20; time++) await finishOne();
    const otherUploads = Array.from({ length: 4 }, () => queueUpload(singleSlotService, otherKey));
    const startedBefore = started();
    // The uploads may start in any order.
    for (const remaining = new Set(otherUploads); remaining.size > 0; ) {
      const next = [...remaining].find(({ hasStarted }) => hasStarted());
      if (next === undefined) {
        await finishOne();
        await Promise.race([...[...remaining].map(({ started }) => started), sleep(10)]);
      } else {
        remaining.delete(next);
        await finish(next);
      }
    }
    const startedMeanwhile = started() - startedBefore;
    assert.ok(
      startedMeanwhile <= 12,
      `${startedMeanwhile} uploads of the busy tenant were processed before four uploads of another tenant`,
    );
    for (const { request } of busyUploads) request.destroy();
    const last = queueUpload(singleSlotService, singleSlotService.key);
    await last.started;
    await finish(last);
  });

  it('returns 503 for an upload that waits too long, and drops an upload whose client disconnects', async () => {
    const shortQueueService = await sandbox.startService({
      SLUICE_UPLOADS_AT_ONCE: '1',
      SLUICE_UPLOAD_QUEUE_SECONDS: '2',
    });
    const running = openUpload(shortQueueService, { expect: '100-continue' });
    running.request.flushHeaders();
    await once(running.request, 'continue');
    const send = running.send;
    await send(`${partHead(filePart(''))}${FILE}`);

    const disconnected = queueUpload(shortQueueService, shortQueueService.key);
    await sleep(200);
    disconnected.request.destroy();
    const waiting = queueUpload(shortQueueService, shortQueueService.key);
    const uploadResponse = await createClient(shortQueueService.url, shortQueueService.key).upload(FILE);
    const response = await waiting.response;
    for (const rejected of [uploadResponse, response]) {
      const { meta } = assertRefused(rejected, {
        status: 503,
        code: 'too_many_uploads',
        detail: /waited 2 seconds in the queue, because the server accepts at most 1 concurrent upload\./,
      });
      assert.deepEqual(meta, { limit: 'uploads_at_once', max: 1 });
      assert.ok(Number(rejected.headers.get('retry-after')) > 0);
    }
    assert.ok(!waiting.hasStarted());
    assert.doesNotMatch(shortQueueService.output.stderr, /the request failed/);
    running.request.end(`\r\n${CLOSING}`);
    assert.equal((await running.response).status, 202);
    const next = queueUpload(shortQueueService, shortQueueService.key);
    await next.started;
    await finish(next);
  });

  for (const [slots, share] of [
    [2, 1],
    [3, 2],
  ] as const) {
    it(`reserves one of ${slots} upload slots for other tenants and names the per-tenant limit in the error`, async () => {
      const smallService = await sandbox.startService({
        SLUICE_UPLOADS_AT_ONCE: String(slots),
        SLUICE_UPLOAD_QUEUE_SECONDS: '2',
      });
      const otherKey = (await createSecondTenant(smallService)).key;
      const uploads = Array.from({ length: slots }, () => queueUpload(smallService, smallService.key));
      const running = () => uploads.filter(({ hasStarted }) => hasStarted());
      await until(async () => running().length >= share);
      const otherUpload = queueUpload(smallService, otherKey);
      await Promise.race([otherUpload.started, otherUpload.response]);
      assert.ok(otherUpload.hasStarted(), 'the other tenant has no slot');
      const waiting = uploads.find(({ hasStarted }) => !hasStarted());
      assert.ok(waiting, 'one tenant has all slots');
      const { meta } = assertRefused(await waiting.response, {
        status: 503,
        code: 'too_many_uploads',
        detail: new RegExp(
          `waited 2 seconds in the queue, because the server accepts at most ${share} concurrent uploads? per tenant`,
        ),
      });
      assert.deepEqual(meta, { limit: 'uploads_at_once_per_tenant', max: share });
      for (const upload of [...running(), otherUpload]) await finish(upload);
    });
  }

  it('does not count time in the upload queue toward the minimum upload rate', async () => {
    const strictService = await sandbox.startService({
      SLUICE_UPLOADS_AT_ONCE: '1',
      SLUICE_UPLOAD_PACE_SECONDS: '1',
      SLUICE_UPLOAD_MIN_BYTES_PER_SECOND: '100000',
    });
    const running = openUpload(strictService, { expect: '100-continue' });
    running.request.flushHeaders();
    await once(running.request, 'continue');
    const waiting = queueUpload(strictService, strictService.key);
    // Does not keep the process running after a failure.
    const pace = setInterval(() => running.request.write(' '.repeat(50_000)), 50).unref();
    await running.send(`${partHead(filePart(''))}${FILE}`);
    await sleep(3000);
    clearInterval(pace);
    assert.ok(!waiting.hasStarted());
    running.request.end(`\r\n${CLOSING}`);
    assert.equal((await running.response).status, 202);
    await waiting.started;
    await finish(waiting);
  });
});
