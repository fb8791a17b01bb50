import assert from 'node:assert/strict';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { after, before, describe, it } from 'node:test';
import { DOCUMENT_TYPE } from './support/client.ts';
import { filePart, MULTIPART_TYPE, multipart, textPart } from './support/multipart.ts';
import { openSocket, write } from './support/open-request.ts';
import { record } from './support/records.ts';
import { createSandbox } from './support/sandbox.ts';
import type { Service } from './support/service.ts';

const ROLE = Buffer.from(
  JSON.stringify({ data: { type: 'roles', attributes: { name: 'readers', permissions: ['manage_scans'] } } }),
);
const UPLOAD = multipart([filePart(JSON.stringify([record()]))]);

describe('a client that waits for 100 Continue', () => {
  const sandbox = createSandbox();
  let service: Service;
  before(async () => {
    service = await sandbox.startService({ SLUICE_DOCUMENT_SECONDS: '2' });
  });
  after(() => sandbox.clear());

  const open = async (path: string, type: string, length: number, version = '1.1') => {
    const socket = await openSocket(service);
    const head = [
      `POST /api/v1${path} HTTP/${version}`,
      'Host: test',
      `Authorization: Api-Key ${service.key}`,
      `Content-Type: ${type}`,
      `Content-Length: ${length}`,
      'Expect: 100-continue',
      'Connection: close',
    ];
    await write(socket, `${head.join('\r\n')}\r\n\r\n`);
    return socket;
  };

  it('is asked for its document, and answered', async () => {
    const socket = await open('/roles', DOCUMENT_TYPE, ROLE.length);
    const [asked] = await once(socket, 'data');
    assert.equal(String(asked), 'HTTP/1.1 100 Continue\r\n\r\n');
    const answer = text(socket);
    await write(socket, ROLE);
    assert.match(await answer, /^HTTP\/1\.1 201 /);
  });

  it('is not asked for a document of a media type that is refused', async () => {
    const socket = await open('/roles', 'text/plain', ROLE.length);
    assert.match(await text(socket), /^HTTP\/1\.1 415 /);
  });

  it('reads why it is refused in the middle of the body that it was asked for', async () => {
    const form = multipart([textPart('surprise', 'x'), filePart(Buffer.alloc(8 * 1024 * 1024, ' '))]);
    const socket = await open('/ingestions', MULTIPART_TYPE, form.length);
    await once(socket, 'data');
    const answer = text(socket);
    await write(socket, form);
    assert.match(await answer, /^HTTP\/1\.1 400 .*unexpected_part/s);
  });

  it('is not asked where it speaks HTTP/1.0, which has no such answer', async () => {
    for (const [path, type, body, status] of [
      ['/roles', DOCUMENT_TYPE, Buffer.from(String(ROLE).replace('readers', 'writers')), 201],
      ['/ingestions', MULTIPART_TYPE, UPLOAD, 202],
    ] as const) {
      const socket = await open(path, type, body.length, '1.0');
      await write(socket, body);
      assert.match(await text(socket), new RegExp(`^HTTP/1\\.1 ${status} `));
    }
  });
});
