import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { type Client, createClient } from '../../support/client.ts';
import { CLOSING, filePart, MULTIPART_TYPE, multipart, partHead, textPart } from '../../support/multipart.ts';
import { closed, openSocket, openUpload, write } from '../../support/open-request.ts';
import { record } from '../../support/records.ts';
import { assertRefused, assertRefusedWithoutTrace, blobsOf, tracesOf } from '../../support/refusal.ts';
import { type Service, startService } from '../../support/service.ts';
import { until } from '../../support/until.ts';

const FILE = JSON.stringify([record()]);
const HEAD = partHead(filePart(''));
const MIB = 2 ** 20;
const SPACES = Buffer.alloc(MIB, ' ');

describe('uploads over unreliable connections', () => {
  let service: Service;
  let client: Client;
  before(async () => {
    // A separate service, so that the blob store contains no files from other tests.
    service = await startService();
    client = createClient(service.url, service.key);
  });
  after(() => service.remove());

  const blobCount = async () => (await blobsOf(service.dataDir)).length;

  for (const [label, body] of [
    ['in the middle of the file', HEAD + FILE.slice(0, 100)],
    ['after the file, without a boundary', HEAD + FILE],
    ['in the middle of the last boundary', multipart([filePart(FILE)], CLOSING.slice(0, -6))],
    ['in the headers of the file part', HEAD.slice(0, -10)],
    ['in the middle of a text part', multipart([filePart(FILE)], `${partHead(textPart('provider', ''))}aw`)],
    ['before the first boundary', ''],
  ] as const) {
    it(`rejects a multipart body that ends ${label}, even with a correct Content-Length`, async () => {
      const send = () =>
        client.send('/ingestions', {
          method: 'POST',
          body: Buffer.from(body),
          headers: { 'content-type': MULTIPART_TYPE },
        });
      await assertRefusedWithoutTrace(service, send, {
        status: 400,
        code: 'malformed_multipart',
        detail: /multipart body cannot be parsed/,
        source: { header: 'Content-Type' },
      });
    });
  }

  const bodyBytes = 64 * MIB;
  const requestHead = [
    'POST /api/v1/ingestions HTTP/1.1',
    'Host: test',
    `Content-Type: ${MULTIPART_TYPE}`,
    `Content-Length: ${bodyBytes}`,
  ];
  for (const [verb, disconnect] of [
    ['closes', (socket: Socket) => socket.end()],
    ['resets', (socket: Socket) => socket.resetAndDestroy()],
  ] as const) {
    it(`discards a partial upload when the client ${verb} the connection, and accepts the next upload`, async () => {
      const before = await tracesOf(service);
      const socket = await openSocket(service);
      // The service may reset a half-closed connection.
      socket.on('error', () => undefined).resume();
      socket.write(`${requestHead.join('\r\n')}\r\nAuthorization: Api-Key ${service.key}\r\n\r\n`);
      socket.write(`${HEAD}[`);
      for (let sent = 0; sent < 16; sent++) socket.write(SPACES);
      await until(async () => (await blobCount()) > before.blobs.length || undefined);
      disconnect(socket);
      await closed(socket);
      await until(async () => (await blobCount()) === before.blobs.length || undefined);
      assert.deepEqual(await tracesOf(service), before);
      assert.deepEqual([service.process.exitCode, service.output.stderr], [null, '']);
      assert.equal((await client.ingest(FILE)).attributes.status, 'completed');
    });
  }

  it('lets a rejected client finish sending a large body and read the response', async () => {
    for (const [headers, expected] of [
      [
        { authorization: 'Api-Key wrong' },
        {
          status: 401,
          code: 'invalid_api_key',
          detail: /API key is malformed/,
          source: { header: 'Authorization' },
        },
      ],
      [
        { 'content-type': 'text/plain' },
        {
          status: 415,
          code: 'unsupported_media_type',
          detail: /text\/plain/,
          source: { header: 'Content-Type' },
        },
      ],
      [{}, { status: 400, code: 'unexpected_part', detail: /'findings'/ }],
    ] as const) {
      const head = partHead(filePart('', 'a.json', 'findings'));
      const length = Buffer.byteLength(head) + 20 * MIB;
      const { request, response, send } = openUpload(service, {
        ...headers,
        'content-length': String(length),
      });
      await send(head);
      // The response arrives before most of the body is sent.
      await send(SPACES);
      const { status } = await response;
      assert.equal(status, expected.status);
      for (let sent = 1; sent < 20; sent++) await send(SPACES);
      request.end();
      await once(request, 'close');
      assert.equal(request.errored, null);
      assertRefused(await response, expected);
    }
  });

  it('rejects an unknown form field before the rest of the file arrives', async () => {
    const head = `${partHead(textPart('colour', 'red'))}red\r\n${partHead(filePart(''))}`;
    const { request, response, send } = openUpload(service, { 'content-length': String(20 * MIB) });
    await send(Buffer.concat([Buffer.from(head), SPACES]));
    assertRefused(await response, {
      status: 400,
      code: 'unexpected_part',
      detail: /'colour' is not supported/,
    });
    request.destroy();
  });

  it('delivers the response to a client that reads only after sending the whole body', async () => {
    const socket = await openSocket(service);
    const received: Buffer[] = [];
    socket.on('data', (bytes: Buffer) => received.push(bytes)).pause();
    const head = ['Connection: close', `Content-Length: ${20 * MIB}`, 'Authorization: Api-Key wrong'];
    socket.write(`POST /api/v1/ingestions HTTP/1.1\r\nHost: test\r\n${head.join('\r\n')}\r\n\r\n`);
    for (let sent = 0; sent < 20; sent++) await write(socket, SPACES);
    socket.resume();
    await once(socket, 'close');
    const response = Buffer.concat(received).toString();
    assert.match(response, /^HTTP\/1\.1 401 /);
    assert.match(response, /"code":"invalid_api_key"/);
  });

  it('sends 100 Continue only after the API key is accepted', async () => {
    const body = multipart([filePart(FILE)]);
    const headers = { expect: '100-continue', 'content-length': String(body.length) };

    const refused = openUpload(service, { ...headers, authorization: 'Api-Key wrong' });
    let continued = false;
    refused.request.on('continue', () => {
      continued = true;
    });
    refused.request.flushHeaders();
    const response = await refused.response;
    assert.deepEqual([response.status, response.headers.get('connection'), continued], [401, 'close', false]);
    refused.request.destroy();

    const accepted = openUpload(service, headers);
    accepted.request.flushHeaders();
    await once(accepted.request, 'continue');
    accepted.request.end(body);
    assert.equal((await accepted.response).status, 202);
  });
});
