import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { createClient } from './support/client.ts';
import { openSocket, write } from './support/open-request.ts';
import { record } from './support/records.ts';
import { createSandbox } from './support/sandbox.ts';
import type { Service } from './support/service.ts';

const MIB = 2 ** 20;

describe('bytes that are no HTTP', () => {
  const sandbox = createSandbox();
  let service: Service;
  before(async () => {
    service = await sandbox.startService({ SLUICE_WORKERS: '1' });
  });
  after(() => sandbox.clear());

  const requestOf = (path: string) =>
    `GET ${path} HTTP/1.1\r\nHost: test\r\nAuthorization: Api-Key ${service.key}\r\n\r\n`;
  /** Asks for a file that is larger than all buffers on its way, and reads only its begin. */
  const beginDownload = async (followedBy = ''): Promise<Socket> => {
    const file = gzipSync(`[${JSON.stringify(record())}${' '.repeat(64 * MIB)}]`);
    const { id } = await createClient(service.url, service.key).ingest(new Uint8Array(file));
    const socket = await openSocket(service);
    socket.on('error', () => undefined);
    await write(socket, requestOf(`/api/v1/ingestions/${id}/file`) + followedBy);
    await once(socket, 'readable');
    return socket;
  };
  const restOf = async (socket: Socket) =>
    (await buffer(socket.resume()).catch(() => Buffer.alloc(0))).toString();

  for (const [what, followedBy] of [
    ['', []],
    [' that another request waits behind', ['/health/live']],
  ] as const) {
    it(`end a download${what}, and never become a part of the file`, async () => {
      const socket = await beginDownload(followedBy.map(requestOf).join(''));
      await write(socket, '\0');
      await sleep(300);
      const received = await restOf(socket);
      assert.ok(received.length < 64 * MIB, `${received.length} bytes came`);
      assert.equal(received.match(/HTTP\/1\.1 /g)?.length ?? 0, 1);
      assert.doesNotMatch(received, /bad_request/);
    });
  }

  it('are a 400 before any request and after an answer', async () => {
    for (const [begin, statuses] of [
      ['', [400]],
      [requestOf('/health/live'), [200, 400]],
      [requestOf('/api/v1/limits'), [200, 400]],
    ] as const) {
      const socket = await openSocket(service);
      if (begin !== '') {
        await write(socket, begin);
        await once(socket, 'readable');
      }
      await write(socket, 'no HTTP\r\n\r\n');
      const received = await restOf(socket);
      const found = [...received.matchAll(/HTTP\/1\.1 (\d+) /g)].map(([, status]) => Number(status));
      assert.deepEqual(found, statuses, received);
      assert.match(received, /"code":"bad_request"/);
    }
  });
});
