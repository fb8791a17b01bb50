import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Agent, fetch, request } from 'undici';
import { type ApiResponse, createClient } from '../../support/client.ts';
import { filePart, MULTIPART_TYPE, partHead } from '../../support/multipart.ts';
import { createKey, createUser } from '../../support/operator.ts';
import { record } from '../../support/records.ts';
import { assertRefused, tracesOf } from '../../support/refusal.ts';
import { createSandbox } from '../../support/sandbox.ts';
import { createSecondTenant } from '../../support/second-tenant.ts';
import type { Service } from '../../support/service.ts';

const MIB = 2 ** 20;
const HEAD = Buffer.from(partHead(filePart('')));
const SPACES = Buffer.alloc(MIB, ' ');
const BODY_MIB = 200;
const BODY_BYTES = HEAD.length + BODY_MIB * MIB;
const UPLOAD_MAX_BYTES = 3 * MIB;
const UPLOADS_PER_MINUTE = 20;
const UNPRIVILEGED_USER = 'no-ingestions@example.com';

const FRAMINGS = [
  ['a fixed-length body', { 'content-length': String(BODY_BYTES) }],
  ['a chunked body', {}],
] as const;
const PACES = [
  ['slowly', 20],
  ['at full speed', 0],
] as const;
const REJECTIONS = [
  [
    'unknown',
    {
      status: 401,
      code: 'invalid_api_key',
      detail: /API key is malformed/,
      source: { header: 'Authorization' },
    },
  ],
  ['unpaid', { status: 402, code: 'subscription_required', detail: /no active subscription/ }],
  ['unprivileged', { status: 403, code: 'permission_denied', detail: /lacks the permission/ }],
  ['good', { status: 413, code: 'upload_too_large', detail: /the maximum is/, source: { pointer: '/file' } }],
  ['rateLimited', { status: 429, code: 'rate_limited', detail: /Try again in/ }],
] as const;
type KeyName = (typeof REJECTIONS)[number][0];

interface Upload {
  readonly headers: Record<string, string>;
  readonly body: AsyncIterable<Buffer>;
}
type Send = (upload: Upload) => Promise<ApiResponse<unknown>>;

describe('a rejected upload of 200 MiB whose client is still sending', () => {
  const sandbox = createSandbox();
  const agent = new Agent();
  const keys = new Map<KeyName, string>();
  let service: Service;
  let url: string;

  before(async () => {
    service = await sandbox.startService({
      SLUICE_UPLOAD_MAX_BYTES: String(UPLOAD_MAX_BYTES),
      SLUICE_UPLOADS_PER_MINUTE: String(UPLOADS_PER_MINUTE),
    });
    url = `${service.url}/api/v1/ingestions`;
    const { id } = await createSecondTenant(service);
    await Promise.all([
      service.sluice('subscription', 'set', '--tenant', id, 'none'),
      createUser(service, service.tenantId, UNPRIVILEGED_USER, ''),
    ]);
    keys.set('good', service.key);
    keys.set('unknown', 'wrong');
    keys.set('unpaid', await createKey(service, id, 'second@example.com'));
    keys.set('unprivileged', await createKey(service, service.tenantId, UNPRIVILEGED_USER));
    const rateLimited = await createKey(service, service.tenantId, 'admin@localhost');
    keys.set('rateLimited', rateLimited);
    const client = createClient(service.url, rateLimited);
    for (let upload = 0; upload < UPLOADS_PER_MINUTE; upload++) await client.upload([record()]);
  });
  after(async () => {
    await agent.destroy();
    await sandbox.clear();
  });

  /** With `reset`, the client asks the service to close the connection after the response. */
  const withRequest =
    (reset: boolean): Send =>
    async ({ headers, body }) => {
      const options = {
        method: 'POST',
        dispatcher: agent,
        headers,
        body: Readable.from(body),
        reset,
      } as const;
      const response = await request(url, options);
      const { 'content-type': type, 'x-request-id': requestId } = response.headers;
      return {
        status: response.statusCode,
        headers: new Headers({ 'content-type': String(type), 'x-request-id': String(requestId) }),
        body: JSON.parse(await response.body.text()),
      };
    };
  const withFetch: Send = async ({ headers, body }) => {
    const response = await fetch(url, { method: 'POST', dispatcher: agent, headers, body, duplex: 'half' });
    return {
      status: response.status,
      headers: new Headers([...response.headers]),
      body: JSON.parse(await response.text()),
    };
  };
  const clients: readonly (readonly [name: string, send: Send])[] = [
    ['an undici request', withRequest(false)],
    ['an undici request with Connection: close', withRequest(true)],
    ['an undici fetch', withFetch],
  ];

  for (const [keyName, refusal] of REJECTIONS) {
    for (const [framing, length] of FRAMINGS) {
      for (const [clientName, send] of clients) {
        for (const [pace, pauseMs] of PACES) {
          it(`returns ${refusal.status} to ${clientName} for a 200 MiB upload with ${framing} sent ${pace}`, async () => {
            const before = await tracesOf(service);
            let sent = 0;
            async function* body(): AsyncGenerator<Buffer> {
              yield HEAD;
              for (; sent < BODY_MIB; sent++) {
                yield SPACES;
                if (pauseMs > 0) await sleep(pauseMs);
              }
            }
            const authorization = `Api-Key ${keys.get(keyName)}`;
            const headers = { authorization, 'content-type': MULTIPART_TYPE, ...length };
            assertRefused(await send({ headers, body: body() }), refusal);
            if (pauseMs > 0) assert.ok(sent < BODY_MIB / 2, `the response came after ${sent} MiB`);
            assert.deepEqual(await tracesOf(service), before);
          });
        }
      }
    }
  }

  it('ingests an upload and logs no errors after rejecting uploads of 200 MiB', async () => {
    const job = await createClient(service.url, service.key).ingest([record()]);
    assert.equal(job.attributes.status, 'completed');
    assert.deepEqual([service.process.exitCode, service.output.stderr], [null, '']);
  });
});
