import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import type { Socket } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { createClient, DOCUMENT_TYPE } from '../../support/client.ts';
import { itInWholeRun } from '../../support/is-whole-run.ts';
import { CLOSING, filePart, MULTIPART_TYPE, partHead } from '../../support/multipart.ts';
import { closed, openSocket, openUpload } from '../../support/open-request.ts';
import { record } from '../../support/records.ts';
import { assertRefused, tracesOf } from '../../support/refusal.ts';
import { createSandbox } from '../../support/sandbox.ts';
import type { Service } from '../../support/service.ts';

const MIB = 2 ** 20;
const HEAD = partHead(filePart(''));

/** Writes a piece of data at regular intervals until the connection is closed, and returns all received data. */
async function dribble(socket: Socket, piece: string, everyMs = 100): Promise<string> {
  let received = '';
  socket.setEncoding('utf8').on('data', (text: string) => {
    received += text;
  });
  // A write fails if the service has already closed the connection.
  socket.on('error', () => undefined);
  const writing = setInterval(() => socket.write(piece), everyMs);
  await closed(socket);
  clearInterval(writing);
  return received;
}

describe('limits on slow clients', () => {
  const sandbox = createSandbox();
  let service: Service;
  /** The job for a file that is larger than all buffers between the service and a client. */
  let large: string;
  before(async () => {
    service = await sandbox.startService({
      SLUICE_HEADER_SECONDS: '2',
      SLUICE_DOCUMENT_SECONDS: '2',
      SLUICE_IDLE_SECONDS: '4',
      SLUICE_UPLOAD_QUEUE_SECONDS: '3',
      SLUICE_KEEP_ALIVE_SECONDS: '1',
      SLUICE_UPLOAD_PACE_SECONDS: '2',
      SLUICE_UPLOAD_MIN_BYTES_PER_SECOND: '1000',
      SLUICE_UPLOAD_MAX_HOURS: '0.005',
    });
    const file = gzipSync(`[${JSON.stringify(record())}${' '.repeat(24 * MIB)}]`);
    large = (await createClient(service.url, service.key).ingest(new Uint8Array(file))).id;
  });
  after(() => sandbox.clear());

  const open = async (...lines: string[]) => {
    const socket = await openSocket(service);
    socket.write(`${lines.join('\r\n')}\r\n`);
    return socket;
  };
  const authorization = () => `Authorization: Api-Key ${service.key}`;

  it('returns 408 for an upload that is slower than the minimum rate in any part, and stores nothing', async () => {
    const begins = [HEAD, `${HEAD}[`, `${partHead({ disposition: '; name="provider"' })}aw`, ''];
    const before = await tracesOf(service);
    const refusals = await Promise.all(
      begins.map(async (begin) => {
        const { send, request, response } = openUpload(service);
        request.on('error', () => undefined).flushHeaders();
        if (begin !== '') await send(begin);
        const writing = setInterval(() => request.write(' '), 50);
        const refusal = await response.finally(() => clearInterval(writing));
        request.destroy();
        return refusal;
      }),
    );
    assert.deepEqual(await tracesOf(service), before);
    for (const refusal of refusals) {
      const { meta } = assertRefused(refusal, {
        status: 408,
        code: 'upload_too_slow',
        detail: /received \d+ bytes in 2 seconds; the minimum is 1000 bytes per second/,
      });
      assert.equal(meta?.limit, 'upload_min_bytes_per_second');
      assert.ok(Number(meta?.seen) < 1000);
      assert.equal(refusal.headers.get('connection'), 'close');
    }
  });

  // These tests run concurrently, because the longest timeout (for an unread body) is 30 seconds.
  describe('client timeouts', { concurrency: true }, () => {
    it('returns 408 and closes a connection that sends incomplete headers or no data', async () => {
      const half = await open('GET / HTTP/1.1', 'Host: test', 'X-Slow: ');
      const silent = await openSocket(service);
      for (const response of await Promise.all([dribble(half, 'x'), dribble(silent, '')])) {
        assert.match(response, /^HTTP\/1\.1 408 /);
        assert.match(response, /\r\nconnection: close\r\n/i);
        assert.match(response, /"code":"request_timeout"/);
      }
    });

    it('returns 408 for a slow JSON:API document and closes the connection', async () => {
      const socket = await open(
        'POST /api/v1/roles HTTP/1.1',
        'Host: test',
        authorization(),
        `Content-Type: ${DOCUMENT_TYPE}`,
        'Content-Length: 60000',
        '',
      );
      const response = await dribble(socket, ' ');
      assert.match(response, /^HTTP\/1\.1 408 /);
      assert.match(response, /\r\nconnection: close\r\n/i);
      assert.match(response, /"code":"document_too_slow"/);
      assert.match(response, /"limit":"document_seconds","max":2/);
    });

    it('accepts an upload above the minimum rate, but returns 408 after the maximum duration', async () => {
      const paced = async (seconds: number) => {
        const { send, request, response } = openUpload(service);
        request.on('error', () => undefined);
        await send(`${HEAD}[${JSON.stringify(record())}`);
        const writing = setInterval(() => request.write(' '.repeat(2000)), 100);
        const isOver = sleep(seconds * 1000, true, { ref: false });
        const isInTime = await Promise.race([isOver, response.then(() => false)]).finally(() =>
          clearInterval(writing),
        );
        if (isInTime) request.end(`]\r\n${CLOSING}`);
        return await response;
      };
      const [inTime, tooLong] = await Promise.all([paced(5), paced(60)]);
      assert.equal(inTime.status, 202);
      const { meta } = assertRefused(tooLong, {
        status: 408,
        code: 'upload_too_long',
        detail: /took longer than 0\.005 hours/,
      });
      assert.deepEqual(meta, { limit: 'upload_max_hours', max: 0.005 });
    });

    itInWholeRun(
      'closes a connection that keeps sending a request body after the response',
      {
        timeout: 60_000,
      },
      async () => {
        const socket = await open(
          'GET /health/live HTTP/1.1',
          'Host: test',
          'Transfer-Encoding: chunked',
          '',
        );
        assert.match(await dribble(socket, '1\r\nx\r\n', 500), /^HTTP\/1\.1 200 /);
      },
    );

    it('closes a connection that is idle during an upload or after a response', async () => {
      const silent = await open(
        'POST /api/v1/ingestions HTTP/1.1',
        'Host: test',
        authorization(),
        `Content-Type: ${MULTIPART_TYPE}`,
        'Content-Length: 1000',
        '',
      );
      const kept = await open('GET /health/live HTTP/1.1', 'Host: test', '');
      const [ofSilent = '', ofKept = ''] = await Promise.all([dribble(silent, ''), dribble(kept, '')]);
      assert.match(ofSilent, /^HTTP\/1\.1 408 |^$/);
      assert.match(ofKept, /^HTTP\/1\.1 200 /);
    });

    it('closes the connection of a download that the client does not read', { timeout: 60_000 }, async () => {
      const socket = await open(
        `GET /api/v1/ingestions/${large}/file HTTP/1.1`,
        'Host: test',
        authorization(),
        '',
      );
      socket.on('error', () => undefined);
      await once(socket, 'readable');
      // The client stops reading, so the service must close the connection.
      const connections = async () => {
        const lines = await readFile('/proc/net/tcp', 'utf8');
        const hexPort = `${(socket.localPort ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
        // Established connections whose local side is the service.
        return lines
          .split('\n')
          .filter((line) => new RegExp(`:[0-9A-F]{4} [0-9A-F]{8}:${hexPort} 01 `).test(line)).length;
      };
      assert.equal(await connections(), 1);
      while ((await connections()) > 0) await sleep(100);
      let bytes = 0;
      for await (const piece of socket.resume()) bytes += Buffer.byteLength(piece);
      assert.ok(bytes < 24 * MIB, `the client received ${bytes} bytes`);
    });
  });
});
