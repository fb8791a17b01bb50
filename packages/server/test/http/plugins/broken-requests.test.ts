import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { createClient } from '../../support/client.ts';
import { joinService, type SharedService } from '../../support/lanes.ts';
import { openSocket, write } from '../../support/open-request.ts';
import { record } from '../../support/records.ts';

/** Larger than all buffers between the service and a client that does not read. */
const DOWNLOAD_BYTES = 32 * 2 ** 20;

describe('invalid HTTP requests', { concurrency: true }, () => {
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
  const readRemaining = async (socket: Socket) =>
    (await buffer(socket.resume()).catch(() => Buffer.alloc(0))).toString();

  for (const [label, followedBy, statuses] of [
    ['a download', [], ['200', '400']],
    ['a download and a pipelined request', ['/health/live'], ['200', '200', '400']],
  ] as const) {
    it(`completes ${label} followed by invalid HTTP, and then returns 400`, async () => {
      const socket = await openSocket(service);
      const paths = [`/api/v1/ingestions/${file}/file`, ...followedBy];
      await write(socket, paths.map(requestOf).join(''));
      await once(socket, 'readable');
      await write(socket, '\0');
      // The service receives the invalid byte while it is still sending the file.
      await sleep(300);
      const received = await readRemaining(socket);
      assert.deepEqual(received.match(/(?<=HTTP\/1\.1 )\d+/g), statuses);
      assert.ok(received.indexOf('bad_request') > DOWNLOAD_BYTES);
    });
  }

  for (const [when, begin, statuses] of [
    ['before any request', '', [400]],
    ['after a health check response', '/health/live', [200, 400]],
    ['after an API response', '/api/v1/limits', [200, 400]],
  ] as const) {
    it(`returns 400 for invalid HTTP ${when}`, async () => {
      const socket = await openSocket(service);
      if (begin !== '') {
        await write(socket, requestOf(begin));
        await once(socket, 'readable');
      }
      await write(socket, 'no HTTP\r\n\r\n');
      const received = await readRemaining(socket);
      const found = [...received.matchAll(/HTTP\/1\.1 (\d+) /g)].map(([, status]) => Number(status));
      assert.deepEqual(found, statuses, received);
      assert.match(received, /"code":"bad_request"/);
    });
  }

  it('responds to a committed upload before rejecting the invalid bytes that follow it', async () => {
    const socket = await openSocket(service);
    const body = [
      '--b\r\nContent-Disposition: form-data; name="file"; filename="pipelined.ocsf.json"\r\n\r\n',
      `${JSON.stringify([record()])}\r\n--b--\r\n`,
    ].join('');
    const head = [
      'POST /api/v1/ingestions HTTP/1.1',
      'Host: test',
      `Authorization: Api-Key ${service.key}`,
      'Content-Type: multipart/form-data; boundary=b',
      `Content-Length: ${body.length}`,
    ].join('\r\n');
    await write(socket, `${head}\r\n\r\n${body}\0\0 garbage`);
    const received = await readRemaining(socket);
    assert.deepEqual(received.match(/(?<=HTTP\/1\.1 )\d+/g), ['202', '400']);
    const { body: found } = await createClient(service.url, service.key).get<unknown[]>(
      '/ingestions?filter[search]=pipelined',
    );
    assert.equal(found.data.length, 1);
  });

  it('returns error documents for a missing Host header and an unsupported Expect header', async () => {
    for (const [request, status, code, header] of [
      ['GET /api/v1/limits HTTP/1.1\r\n\r\n', 400, 'missing_header', 'Host'],
      [
        'POST /api/v1/ingestions HTTP/1.1\r\nHost: test\r\nExpect: 200-ok\r\nContent-Length: 5\r\n\r\n',
        417,
        'expectation_failed',
        'Expect',
      ],
    ] as const) {
      const socket = await openSocket(service);
      await write(socket, request);
      socket.end();
      const [head = '', document = ''] = (await readRemaining(socket)).split('\r\n\r\n');
      assert.match(head, new RegExp(`^HTTP/1\\.1 ${status} `));
      assert.match(head, /content-type: application\/vnd\.api\+json/i);
      const [error] = JSON.parse(document).errors;
      assert.deepEqual([error.status, error.code, error.source], [String(status), code, { header }]);
    }
  });

  it('rejects an invalid Host header, and accepts host names, addresses and an empty value', async () => {
    const statusOf = async (host: string) => {
      const socket = await openSocket(service);
      await write(socket, `GET /health/live HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
      const response = await readRemaining(socket);
      if (response.startsWith('HTTP/1.1 400 ')) assert.match(response, /"code":"invalid_header"/);
      return response.slice(9, 12);
    };
    for (const host of [
      'a b',
      'a/b',
      'user@a',
      'a,b/',
      'a:b',
      'a:1:2',
      '[::1',
      '::1',
      'a\\b',
      '"a"',
      'a?b',
      'a\xff',
    ])
      assert.equal(await statusOf(host), '400', host);
    for (const host of [
      '',
      'a',
      'a:',
      'a_b.example:8080',
      '127.0.0.1:1',
      '[::1]',
      '[fe80::1%25en0]:8080',
      'xn--a',
    ])
      assert.equal(await statusOf(host), '200', host);
  });

  it('does not require a Host header from HTTP/1.0 clients', async () => {
    const socket = await openSocket(service);
    await write(socket, 'GET /health/live HTTP/1.0\r\n\r\n');
    assert.match(await readRemaining(socket), /^HTTP\/1\.1 200 /);
  });
});
