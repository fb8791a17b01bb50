import assert from 'node:assert/strict';
import { once } from 'node:events';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { createClient, DOCUMENT_TYPE } from '../../support/client.ts';
import { holdKeys } from '../../support/held-keys.ts';
import { filePart, MULTIPART_TYPE, multipart } from '../../support/multipart.ts';
import { openSocket, write } from '../../support/open-request.ts';
import { scrape } from '../../support/prometheus.ts';
import { record } from '../../support/records.ts';
import { createSandbox } from '../../support/sandbox.ts';
import type { Service } from '../../support/service.ts';
import { until } from '../../support/until.ts';

const FILE = JSON.stringify([record()]);
const BODY = multipart([filePart(FILE)]);

describe('a client that disconnects during authentication', () => {
  const sandbox = createSandbox();
  let service: Service;
  before(async () => {
    service = await sandbox.startService({
      SLUICE_UPLOADS_AT_ONCE: '2',
      SLUICE_UPLOAD_QUEUE_SECONDS: '2',
      SLUICE_DOCUMENT_SECONDS: '1',
      // Disabled, because the minimum upload rate would also end a stalled upload.
      SLUICE_UPLOAD_MIN_BYTES_PER_SECOND: '0',
    });
  });
  after(() => sandbox.clear());

  /** Sends a request with each of these partial bodies, and disconnects before authentication has finished. */
  const sendAndDisconnect = async (path: string, type: string, length: number, bodies: readonly Buffer[]) => {
    const keys = await holdKeys(service);
    const sockets = await Promise.all(
      bodies.map(async (body) => {
        const socket = await openSocket(service);
        const head = [
          `POST /api/v1${path} HTTP/1.1`,
          'Host: test',
          `Authorization: Api-Key ${service.key}`,
          `Content-Type: ${type}`,
          `Content-Length: ${length}`,
        ];
        await write(socket, Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`), body]));
        return socket;
      }),
    );
    await keys.waiting(sockets.length);
    for (const socket of sockets) {
      socket.destroy();
      await once(socket, 'close');
    }
    await sleep(200);
    await keys.release();
  };

  for (const [label, sent] of [
    ['none', 0],
    ['half', BODY.length / 2],
    ['all', BODY.length],
  ] as const) {
    it(`releases the upload slot of a client that disconnects after sending ${label} of the body`, async () => {
      const body = BODY.subarray(0, sent);
      await sendAndDisconnect('/ingestions', MULTIPART_TYPE, BODY.length, [body, body, body]);
      const client = createClient(service.url, service.key);
      assert.equal((await client.upload(FILE)).status, 202);
      const uploads = async () => (await scrape(service.url)).value('sluice_uploads_in_progress');
      assert.equal(await until(async () => (await uploads()) === 0), true);
    });
  }

  it('does not count a disconnected client as a slow client', async () => {
    await sendAndDisconnect('/roles', DOCUMENT_TYPE, 1000, [Buffer.from('{'), Buffer.from('')]);
    await sleep(1500);
    const { value } = await scrape(service.url);
    assert.equal(value('sluice_http_errors_total', { code: 'document_too_slow' }) ?? 0, 0);
  });
});
