import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import type { Fault } from '../src/index.ts';
import { emulators } from './support/emulators.ts';
import { scannerClient } from './support/scanner-client.ts';

const organizations = emulators();
after(() => organizations.stopAll());

const withFaults = async (...faults: Fault[]) => {
  const emulator = await organizations.start({ faults });
  return { emulator, client: await scannerClient(emulator) };
};

describe('fault injection', () => {
  it("returns a fault's status, headers, and vendor error as many times as configured", async () => {
    const { client } = await withFaults({
      path: '/api/v1/zones',
      response: 503,
      times: 2,
      headers: { 'Retry-After': '1' },
    });
    const responses = [];
    for (let index = 0; index < 3; index++) responses.push(await client.get('/api/v1/zones?limit=5'));
    assert.deepEqual(
      responses.map(({ status, headers }) => [status, headers.get('retry-after')]),
      [
        [503, '1'],
        [503, '1'],
        [200, null],
      ],
    );
    assert.match((await responses[0]?.text()) ?? '', /"errorCode"/);
  });

  it('applies a fault that is added after startup and matches paths by regular expression', async () => {
    const { emulator, client } = await withFaults();
    assert.equal((await client.get('/api/v1/brands')).status, 200);
    emulator.faults.push({ path: /^\/api\/v1\/brands/, response: 403, body: { errorCode: 'E0000006' } });
    const response = await client.get('/api/v1/brands?limit=1');
    assert.deepEqual([response.status, await response.text()], [403, '{"errorCode":"E0000006"}']);
  });

  it('closes the connection without a response for a disconnect fault', async () => {
    const { emulator, client } = await withFaults({ path: '/api/v1/idps', response: 'disconnect' });
    await assert.rejects(client.get('/api/v1/idps'), TypeError);
    assert.equal(emulator.requests.at(-1)?.status, 0);
  });

  it('returns a web page or truncated JSON with status 200', async () => {
    const { client } = await withFaults(
      { path: '/api/v1/idps', response: 'html' },
      { path: '/api/v1/zones', response: 'invalid-json' },
    );
    const page = await client.get('/api/v1/idps');
    assert.deepEqual([page.status, page.headers.get('content-type')], [200, 'text/html']);
    const broken = await client.get('/api/v1/zones');
    assert.equal(broken.headers.get('content-type'), 'application/json; charset=utf-8');
    await assert.rejects(broken.json(), SyntaxError);
  });

  it('returns the same next page link every time for a repeat-cursor fault', async () => {
    const { client } = await withFaults({ path: '/api/v1/zones', response: 'repeat-cursor' });
    const next = (response: Response) =>
      /<([^>]*)>; rel="next"/.exec(response.headers.get('link') ?? '')?.[1] ?? '';
    const second = next(await client.get('/api/v1/zones?limit=1'));
    assert.match(second, /after=1,nzoHeadquarters&limit=1$/);
    assert.equal(next(await client.get(second)), second);
  });

  it('injects faults into token requests', async () => {
    const { emulator, client } = await withFaults({
      path: '/oauth2/v1/token',
      response: 500,
      method: 'POST',
    });
    await assert.rejects(client.token());
    assert.equal(emulator.tokenRequests.at(-1)?.status, 500);
  });
});
