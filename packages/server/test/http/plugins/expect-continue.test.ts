import assert from 'node:assert/strict';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { after, before, describe, it } from 'node:test';
import { DOCUMENT_TYPE } from '../../support/client.ts';
import { joinService, type SharedService } from '../../support/lanes.ts';
import { filePart, MULTIPART_TYPE, multipart, textPart } from '../../support/multipart.ts';
import { openSocket, write } from '../../support/open-request.ts';
import { record } from '../../support/records.ts';

const ROLE = Buffer.from(
  JSON.stringify({ data: { type: 'roles', attributes: { name: 'readers', permissions: ['manage_scans'] } } }),
);
const UPLOAD = multipart([filePart(JSON.stringify([record()]))]);

describe('clients that expect 100 Continue', () => {
  let service: SharedService;
  before(async () => {
    service = await joinService();
  });
  after(() => service.leave());

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

  it('sends 100 Continue to a client that waits before sending a document, and then responds', async () => {
    const socket = await open('/roles', DOCUMENT_TYPE, ROLE.length);
    const [interim] = await once(socket, 'data');
    assert.equal(String(interim), 'HTTP/1.1 100 Continue\r\n\r\n');
    const response = text(socket);
    await write(socket, ROLE);
    assert.match(await response, /^HTTP\/1\.1 201 /);
  });

  it('rejects a document with an unsupported media type without 100 Continue', async () => {
    const socket = await open('/roles', 'text/plain', ROLE.length);
    assert.match(await text(socket), /^HTTP\/1\.1 415 /);
  });

  it('delivers an error response to a client that is still uploading after 100 Continue', async () => {
    const form = multipart([textPart('surprise', 'x'), filePart(Buffer.alloc(8 * 1024 * 1024, ' '))]);
    const socket = await open('/ingestions', MULTIPART_TYPE, form.length);
    await once(socket, 'data');
    const response = text(socket);
    await write(socket, form);
    assert.match(await response, /^HTTP\/1\.1 400 .*unexpected_part/s);
  });

  it('sends no 100 Continue to HTTP/1.0 clients, which do not support it', async () => {
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
