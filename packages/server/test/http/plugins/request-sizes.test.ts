import assert from 'node:assert/strict';
import { once } from 'node:events';
import { after, before, describe, it } from 'node:test';
import { type Client, createClient } from '../../support/client.ts';
import { filePart, MULTIPART_TYPE, multipart, partHead, textPart } from '../../support/multipart.ts';
import { openSocket, openUpload } from '../../support/open-request.ts';
import { record } from '../../support/records.ts';
import { assertRefused, assertRefusedWithoutTrace } from '../../support/refusal.ts';
import { type Service, startService } from '../../support/service.ts';
import { until } from '../../support/until.ts';

const MIB = 2 ** 20;
const FILE = JSON.stringify([record()]);

describe('request size limits', () => {
  let service: Service;
  let client: Client;
  before(async () => {
    service = await startService({ SLUICE_UPLOAD_MAX_BYTES: String(MIB), SLUICE_MAX_CONNECTIONS: '20' });
    client = createClient(service.url, service.key);
  });
  after(() => service.remove());

  const post = (body: Buffer<ArrayBuffer>) =>
    client.send('/ingestions', { method: 'POST', body, headers: { 'content-type': MULTIPART_TYPE } });

  it('returns 431 for a request with more than 200 headers', async () => {
    const headers = Object.fromEntries(Array.from({ length: 201 }, (_, at) => [`x-${at}`, 'a']));
    const error = assertRefused(await client.get('/limits', headers), {
      status: 431,
      code: 'too_many_headers',
      detail: /has \d+ headers; the maximum is 200/,
    });
    assert.equal(error.meta?.limit, 'headers_max_count');
  });

  it('returns 413 for a JSON:API document over 64 KiB while the client is still sending it', async () => {
    const attributes = { name: 'x'.repeat(MIB) };
    const error = assertRefused(await client.document('POST', '/roles', { type: 'roles', attributes }), {
      status: 413,
      code: 'document_too_large',
      detail: /larger than 65,536 bytes/,
    });
    assert.deepEqual([error.meta?.limit, error.meta?.max], ['document_max_bytes', 65_536]);
  });

  it('returns 400 for an upload with too many parts, large part headers or a long text field', async () => {
    const parts = Array.from({ length: 21 }, () => textPart('provider', 'aws'));
    assert.equal((await post(multipart([...parts, filePart(FILE)]))).status, 400);
    const many = { ...filePart(FILE), headers: [`X-Large: ${'x'.repeat(100_000)}`] };
    const first = {
      ...many,
      disposition: '',
      headers: [...many.headers, 'Content-Disposition: form-data; name="file"'],
    };
    assert.equal((await post(multipart([first]))).status, 400);
    assert.equal(
      (await post(multipart([textPart('provider', 'x'.repeat(MIB / 2)), filePart(FILE)]))).status,
      400,
    );
  });

  for (const [where, begin] of [
    ['before the first part', ''],
    ['in a text part', partHead(textPart('provider', ''))],
    ['in the headers of a part', partHead(filePart('')).slice(0, -4)],
    ['after the last part', `${multipart([filePart(FILE)])}`],
  ] as const) {
    it(`limits the bytes ${where} of an upload without a Content-Length`, async () => {
      const endless = async () => {
        const { request, response, send } = openUpload(service);
        request.on('error', () => undefined);
        await send(begin);
        const piece = Buffer.alloc(MIB / 16, 'x');
        const writing = setInterval(() => request.write(piece), 10);
        return await response.finally(() => {
          clearInterval(writing);
          request.destroy();
        });
      };
      const { status } = await endless();
      assert.ok(status === 413 || status === 400, `${status}`);
      if (where !== 'in the headers of a part') assert.equal(status, 413);
    });
  }

  it('stores nothing from an upload that exceeds the size limit', async () => {
    const large = () => post(multipart([textPart('provider', 'x'.repeat(2 * MIB)), filePart(FILE)]));
    await assertRefusedWithoutTrace(service, large, {
      status: 413,
      code: 'upload_too_large',
      detail: /the maximum is 1048576 bytes/,
      source: { pointer: '/file' },
    });
  });

  it('closes connections above the maximum and keeps serving the others', async () => {
    const open = await Promise.all(Array.from({ length: 60 }, () => openSocket(service)));
    const closed = await until(async () => {
      const closed = open.filter((socket) => socket.destroyed || socket.closed || socket.readableEnded);
      for (const socket of open) socket.on('error', () => undefined).resume();
      return closed.length >= 40 ? closed : undefined;
    });
    assert.ok(closed.length < 60);
    await until(async () => /SLUICE_MAX_CONNECTIONS/.test(service.output.stderr));
    const one = open.find((socket) => !closed.includes(socket));
    one?.write('GET /health/live HTTP/1.1\r\nHost: test\r\n\r\n');
    const [bytes] = one === undefined ? [] : await once(one, 'data');
    assert.match(String(bytes), /^HTTP\/1\.1 200 /);
    for (const socket of open) socket.destroy();
    await until(async () => (await client.get('/limits').catch(() => undefined))?.status === 200);
  });
});
