import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { createClient } from '../support/client.ts';
import { joinService, type SharedService } from '../support/lanes.ts';
import { openSocket, write } from '../support/open-request.ts';
import { record } from '../support/records.ts';

/** Larger than all buffers between the service and a client that does not read. */
const DOWNLOAD_BYTES = 32 * 2 ** 20;

describe('bytes that are not HTTP', { concurrency: true }, () => {
  let service: SharedService;
  let file: string;
  before(async () => {
    service = await joinService();
    const padded = gzipSync(`[${JSON.stringify(record())}${' '.repeat(DOWNLOAD_BYTES)}]`, { level: 1 });
    file = (await createClient(service.url, service.key).ingest(new Uint8Array(padded))).id;
  });
  after(() => service.leave());

  const requestOf = (path: string) =>
    `GET ${path} HTTP/1.1\r\nHost: test\r\nAuthorization: Api-Key ${service.key}\r\n\r\n`;
  /** Asks for the file, and reads only its begin. */
  const beginDownload = async (followedBy: string): Promise<Socket> => {
    const socket = await openSocket(service);
    socket.on('error', () => undefined);
    await write(socket, requestOf(`/api/v1/ingestions/${file}/file`) + followedBy);
    await once(socket, 'readable');
    return socket;
  };
  const restOf = async (socket: Socket) =>
    (await buffer(socket.resume()).catch(() => Buffer.alloc(0))).toString();

  for (const [what, followedBy] of [
    ['a download', []],
    ['a download that another request waits behind', ['/health/live']],
  ] as const) {
    it(`ends ${what} when bytes follow that are not HTTP, and writes no error into the file`, async () => {
      const socket = await beginDownload(followedBy.map(requestOf).join(''));
      await write(socket, '\0');
      // The service reads the byte while the rest of the file is still on its side.
      await sleep(300);
      const received = await restOf(socket);
      assert.ok(received.length < DOWNLOAD_BYTES, `${received.length} bytes came`);
      assert.equal(received.match(/HTTP\/1\.1 /g)?.length ?? 0, 1);
      assert.doesNotMatch(received, /bad_request/);
    });
  }

  for (const [when, begin, statuses] of [
    ['before any request', '', [400]],
    ['after a response of the health check', '/health/live', [200, 400]],
    ['after a response of the API', '/api/v1/limits', [200, 400]],
  ] as const) {
    it(`responds with 400 to bytes that are not HTTP ${when}`, async () => {
      const socket = await openSocket(service);
      if (begin !== '') {
        await write(socket, requestOf(begin));
        await once(socket, 'readable');
      }
      await write(socket, 'no HTTP\r\n\r\n');
      const received = await restOf(socket);
      const found = [...received.matchAll(/HTTP\/1\.1 (\d+) /g)].map(([, status]) => Number(status));
      assert.deepEqual(found, statuses, received);
      assert.match(received, /"code":"bad_request"/);
    });
  }
});
