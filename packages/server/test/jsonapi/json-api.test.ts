import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { after, before, describe, it } from 'node:test';
import { type Client, createClient, DOCUMENT_TYPE, type ErrorObject } from '../support/client.ts';
import { joinService, type SharedService } from '../support/lanes.ts';
import { openSocket } from '../support/open-request.ts';
import { record } from '../support/records.ts';

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

describe('HTTP and JSON:API rules', () => {
  let service: SharedService;
  let client: Client;
  before(async () => {
    service = await joinService();
    client = createClient(service.url, service.key);
  });
  after(() => service.leave());

  it('returns 406 only if every JSON:API media type in Accept has unknown parameters', async () => {
    const jobs = await service.sql('select id from ingestions');
    for (const accept of [
      `${DOCUMENT_TYPE}; charset=utf-8`,
      `${DOCUMENT_TYPE}; ext="https://example.com/ext"`,
      `${DOCUMENT_TYPE}; version=1, */*`,
      `${DOCUMENT_TYPE}; ext="https://example.com/ext, ${DOCUMENT_TYPE}"`,
      `${DOCUMENT_TYPE}; charset=utf-8, ${DOCUMENT_TYPE}; ext="a"`,
      `${DOCUMENT_TYPE.toUpperCase()}; charset=utf-8`,
    ]) {
      for (const response of [
        await client.get('/ingestions', { accept }),
        await client.upload([record()], { headers: { accept } }),
      ]) {
        assert.equal(response.status, 406, accept);
        assert.deepEqual(response.body.errors[0]?.source, { header: 'Accept' });
      }
    }
    assert.deepEqual(await service.sql('select id from ingestions'), jobs);
    for (const accept of [
      DOCUMENT_TYPE,
      `${DOCUMENT_TYPE}; q=0.5`,
      `${DOCUMENT_TYPE}; profile="https://example.com/a;b https://example.com/c,d"`,
      `${DOCUMENT_TYPE}; charset=utf-8, ${DOCUMENT_TYPE}`,
      '*/*',
      'application/json',
      'application/json; charset=utf-8',
      '',
    ]) {
      assert.equal((await client.get('/ingestions', { accept })).status, 200, accept);
    }
  });

  it('returns 405 with an Allow header for an unsupported method on a known path', async () => {
    const { id } = await client.ingest([record()]);
    for (const [path, allow] of [
      ['/ingestions', ['GET', 'HEAD', 'POST']],
      [`/ingestions/${id}`, ['GET', 'HEAD']],
      [`/ingestions/${id}/errors`, ['GET', 'HEAD']],
      ['/limits', ['GET', 'HEAD']],
    ] as const) {
      for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'].filter(
        (name) => !allow.some((allowed) => allowed === name),
      )) {
        const { status, headers, body } = await client.send(path, { method });
        assert.equal(status, 405, `${method} ${path}`);
        assert.deepEqual(headers.get('allow')?.split(', ').sort(), allow);
        assert.equal(body.errors[0]?.code, 'method_not_allowed');
      }
    }
    assert.equal((await client.get(`/ingestions/${id}`)).status, 200);
  });

  it('rejects a document that is not valid UTF-8, and creates nothing', async () => {
    const roles = await service.sql('select id from roles');
    for (const bytes of ['a\xff', 'a\xc3', '\xed\xa0\x80', '\xc0\xaf']) {
      const document = `{"data":{"type":"roles","attributes":{"name":"${bytes}","permissions":[]}}}`;
      const { status, body } = await client.send('/roles', {
        method: 'POST',
        headers: { 'content-type': DOCUMENT_TYPE },
        body: Buffer.from(document, 'latin1'),
      });
      const [error] = body.errors;
      assert.deepEqual([status, error?.code, error?.source], [400, 'invalid_json', { pointer: '' }]);
      assert.match(error?.detail ?? '', /not valid UTF-8/);
    }
    assert.deepEqual(await service.sql('select id from roles'), roles);
  });

  it('returns 404 for any method on an unknown path', async () => {
    for (const path of ['/nothing', '/api/v1/nothing', `/api/v1/ingestions/${randomUUID()}/nothing`])
      for (const method of ['GET', 'POST', 'QUERY', 'TRACE', 'PROPFIND']) {
        const sent = request(`${service.url}${path}`, { method }).end();
        const [response]: IncomingMessage[] = await once(sent, 'response');
        assert.ok(response !== undefined);
        const { errors }: { errors: ErrorObject[] } = JSON.parse(await text(response));
        assert.deepEqual([response.statusCode, errors[0]?.code], [404, 'not_found'], `${method} ${path}`);
      }
  });

  it('returns 405 with an Allow header for nonstandard methods on every documented path', async () => {
    const description = await fetch(`${service.url}/api/v1/openapi.json`);
    const { paths }: { paths: Record<string, Record<string, unknown>> } = JSON.parse(
      await description.text(),
    );
    const known = Object.entries(paths).map(([path, operations]) => [path, Object.keys(operations)] as const);
    for (const [path, operations] of [...known, ['/health/live', ['get']] as const, ['/', ['get']] as const])
      for (const method of ['QUERY', 'TRACE', 'PROPFIND']) {
        const sent = request(`${service.url}${path.replaceAll(/\{\w+\}/g, randomUUID())}`, { method }).end();
        const [response]: IncomingMessage[] = await once(sent, 'response');
        assert.ok(response !== undefined);
        const { errors }: { errors: ErrorObject[] } = JSON.parse(await text(response));
        assert.deepEqual(
          [response.statusCode, errors[0]?.code],
          [405, 'method_not_allowed'],
          `${method} ${path}`,
        );
        const allow = response.headers.allow
          ?.toLowerCase()
          .split(', ')
          .filter((name) => name !== 'head');
        assert.ok(
          operations.filter((name) => name.length < 7).every((name) => allow?.includes(name)),
          path,
        );
      }
  });

  it('returns 400 for duplicate Host or Authorization headers', async () => {
    const authorization = `Authorization: Api-Key ${service.key}`;
    for (const [header, lines] of [
      ['Host', ['Host: one', 'host: two', authorization]],
      ['Authorization', ['Host: one', 'Authorization: Api-Key wrong', authorization]],
    ] as const) {
      const socket = await openSocket(service);
      socket.write(`GET /api/v1/limits HTTP/1.1\r\nConnection: close\r\n${lines.join('\r\n')}\r\n\r\n`);
      const [head = '', body = ''] = (await text(socket)).split('\r\n\r\n');
      assert.match(head, /^HTTP\/1\.1 400 /);
      const { errors }: { errors: ErrorObject[] } = JSON.parse(body);
      assert.deepEqual([errors[0]?.code, errors[0]?.source], ['duplicate_header', { header }]);
    }
  });

  it('returns 404 for a malformed ID even if the request has other errors', async () => {
    const description = await fetch(`${service.url}/api/v1/openapi.json`);
    const { paths }: { paths: Record<string, Record<string, unknown>> } = JSON.parse(
      await description.text(),
    );
    const withId = Object.entries(paths).filter(([path]) => path.includes('{id}'));
    assert.ok(withId.length >= 10);
    for (const [path, operations] of withId) {
      const malformed = path.replace('/api/v1', '').replace('{id}', 'latest').replace('{record_index}', '0');
      for (const method of Object.keys(operations).filter((name) =>
        ['get', 'patch', 'delete'].includes(name),
      )) {
        const { status, body } = await client.send(`${malformed}?nonsense=1&sort=color`, {
          method: method.toUpperCase(),
        });
        assert.deepEqual([status, body.errors[0]?.code], [404, 'not_found'], `${method} ${malformed}`);
      }
    }
  });

  it('sends every response, including errors, as a JSON:API document with meta.version and a request ID', async () => {
    const { id } = await client.ingest([record()]);
    const expected: readonly (readonly [number, string, RequestInit?])[] = [
      [200, '/ingestions'],
      [200, `/ingestions/${id}`],
      [200, `/ingestions/${id}/errors`],
      [200, '/limits'],
      [400, '/ingestions?page[size]=0'],
      [400, '/ingestions/%zz'],
      [401, '/ingestions', { headers: { authorization: 'Api-Key wrong' } }],
      [404, `/ingestions/${randomUUID()}`],
      [404, '/nothing/here'],
      [404, '/../v2/ingestions'],
      [405, '/ingestions', { method: 'DELETE' }],
      [406, '/ingestions', { headers: { accept: `${DOCUMENT_TYPE}; a=b` } }],
      [415, '/ingestions', { method: 'POST', body: '{}', headers: { 'content-type': DOCUMENT_TYPE } }],
      [431, '/ingestions', { headers: { 'x-large': 'x'.repeat(20_000) } }],
    ];
    const requestIds = new Set<string>();
    for (const [expectedStatus, path, init = {}] of expected) {
      const { status, headers, body } = await client.send(path, init);
      assert.equal(status, expectedStatus, path);
      assert.equal(headers.get('content-type'), DOCUMENT_TYPE);
      assert.equal(body.meta.version, 'v1');
      const requestId = headers.get('x-request-id') ?? '';
      assert.match(requestId, UUID);
      requestIds.add(requestId);
      assert.equal('data' in body, status < 300);
      if (status >= 400) assertErrors(body.errors, String(status), requestId);
    }
    assert.equal(requestIds.size, expected.length);
  });

  function assertErrors(errors: readonly ErrorObject[], status: string, id: string): void {
    assert.deepEqual(
      errors.map((error) => [error.id, error.status]),
      [[id, status]],
    );
    for (const text of [errors[0]?.code, errors[0]?.title, errors[0]?.detail]) assert.match(text ?? '', /\S/);
  }
});
