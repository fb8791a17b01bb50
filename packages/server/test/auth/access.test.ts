import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { createApiKey, formatApiKey, parseApiKey } from '../../src/auth/api-keys.ts';
import { type ApiKey, makeKey, UNKNOWN_ID } from '../support/access-resources.ts';
import { type ApiResponse, createClient, type Ingestion, readResponse } from '../support/client.ts';
import { filePart, MULTIPART_TYPE, multipart } from '../support/multipart.ts';
import { createKey, createUser } from '../support/operator.ts';
import { announceUpload } from '../support/raw-upload.ts';
import { record } from '../support/records.ts';
import { assertRefused, type Refusal, tracesOf } from '../support/refusal.ts';
import { createSandbox } from '../support/sandbox.ts';
import { createSecondTenant, type SecondTenant } from '../support/second-tenant.ts';
import type { Service } from '../support/service.ts';

const ADMIN = 'admin@localhost';

const refused401 = (detail: RegExp): Refusal => ({
  status: 401,
  code: 'invalid_api_key',
  detail,
  source: { header: 'Authorization' },
});
const refused403: Refusal = {
  status: 403,
  code: 'permission_denied',
  detail: /^The API key's user lacks the permission manage_ingestions\./,
};
const refused402: Refusal = {
  status: 402,
  code: 'subscription_required',
  detail: /^The tenant has no active subscription,/,
};

describe('authentication and authorization', () => {
  const sandbox = createSandbox();
  let service: Service;
  /** A tenant without a subscription. */
  let unpaid: SecondTenant;
  let second: SecondTenant;
  let job: string;
  const keys: Record<string, string> = {};

  before(async () => {
    service = await sandbox.startService({ LOG_LEVEL: 'trace', SLUICE_WORKERS: '1' });
    const tenant = service.tenantId;
    [second, unpaid] = await Promise.all([createSecondTenant(service), createSecondTenant(service)]);
    await Promise.all([
      createUser(service, tenant, 'no-ingestions@example.com', 'manage_providers,manage_scans'),
      createUser(service, unpaid.id, 'no-ingestions@example.com', 'manage_providers'),
      service.sluiceJson('subscription', 'set', '--tenant', unpaid.id, 'none'),
    ]);
    const restricted = ['--permissions', 'manage_providers'];
    const made = {
      revoked: createKey(service, tenant, ADMIN),
      expired: createKey(service, tenant, ADMIN, '--expires', '2026-01-31T00:00:00Z'),
      restricted: createKey(service, tenant, ADMIN, ...restricted),
      ofUserWithout: createKey(service, tenant, 'no-ingestions@example.com'),
      restrictedOfUserWithout: createKey(service, tenant, 'no-ingestions@example.com', ...restricted),
      restrictedUnpaid: createKey(service, unpaid.id, 'second@example.com', ...restricted),
      ofUserWithoutUnpaid: createKey(service, unpaid.id, 'no-ingestions@example.com'),
      unpaid: createKey(service, unpaid.id, 'second@example.com'),
      renamed: createKey(service, tenant, ADMIN),
    };
    for (const [name, key] of Object.entries(made)) keys[name] = await key;
    await service.sluiceJson('api-key', 'revoke', '--tenant', tenant, keys.revoked?.split('.')[0] ?? '');
    keys.valid = service.key;
    keys.unknown = formatApiKey(createApiKey());
    keys.otherSecret = formatApiKey(createApiKey());
    const [from, to] = [keys.renamed, keys.otherSecret].map((key) => key?.split('.')[0]);
    await service.sql('update api_keys set prefix = $2 where prefix = $1', [from, to]);
    job = (await createClient(service.url, service.key).ingest([record(), {}])).id;
  });
  after(() => sandbox.clear());

  const file = multipart([filePart(JSON.stringify([record()]))]);
  const ENDPOINTS = [
    { name: 'POST /ingestions', method: 'POST', path: () => '/ingestions', accepted: 202 },
    { name: 'GET /ingestions', method: 'GET', path: () => '/ingestions', accepted: 200 },
    { name: 'GET /ingestions/{id}', method: 'GET', path: () => `/ingestions/${job}`, accepted: 200 },
    {
      name: 'GET /ingestions/{id}/errors',
      method: 'GET',
      path: () => `/ingestions/${job}/errors`,
      accepted: 200,
    },
  ] as const;
  type Endpoint = (typeof ENDPOINTS)[number];

  const send = async (
    { method, path }: Endpoint,
    authorization: string | undefined,
  ): Promise<ApiResponse<unknown>> => {
    const headers = {
      ...(authorization !== undefined && { authorization }),
      ...(method === 'POST' && { 'content-type': MULTIPART_TYPE }),
    };
    const body = method === 'POST' ? file : null;
    return await readResponse(await fetch(`${service.url}/api/v1${path()}`, { method, headers, body }));
  };

  const withKey = (name: string) => () => `Api-Key ${keys[name]}`;
  const noForm = refused401(
    /^The request has no API key\. Send the header 'Authorization: Api-Key <API_KEY>'\.$/,
  );
  const noKey = refused401(/^The API key is malformed\./);
  const notKnown = refused401(/^The API key does not exist\.$/);
  const lacking = refused401(/^The API key does not include the permission manage_ingestions\./);
  const CASES: readonly {
    readonly label: string;
    readonly authorization: () => string | undefined;
    readonly refusal: Refusal;
  }[] = [
    { label: 'no Authorization header', authorization: () => undefined, refusal: noForm },
    { label: 'an empty Authorization header', authorization: () => '', refusal: noForm },
    { label: 'another scheme', authorization: () => `Bearer ${keys.valid}`, refusal: noForm },
    { label: 'a key without the Api-Key scheme', authorization: () => keys.valid, refusal: noForm },
    { label: 'the Api-Key scheme without a key', authorization: () => 'Api-Key', refusal: noForm },
    { label: 'two keys', authorization: () => `Api-Key ${keys.valid} ${keys.valid}`, refusal: noForm },
    { label: 'a malformed key', authorization: () => 'Api-Key 0123456789', refusal: noKey },
    {
      label: 'a truncated key',
      authorization: () => `Api-Key ${keys.valid?.slice(0, -1)}`,
      refusal: noKey,
    },
    {
      label: 'a key with one character changed',
      authorization: () => `Api-Key ${changed(keys.valid)}`,
      refusal: noKey,
    },
    { label: 'an unknown key', authorization: withKey('unknown'), refusal: notKnown },
    { label: 'a known prefix and a wrong secret', authorization: withKey('otherSecret'), refusal: notKnown },
    {
      label: 'a revoked key',
      authorization: withKey('revoked'),
      refusal: refused401(/^The API key was revoked\.$/),
    },
    {
      label: 'an expired key',
      authorization: withKey('expired'),
      refusal: refused401(/^The API key has expired\.$/),
    },
    {
      label: 'a key restricted to other permissions',
      authorization: withKey('restricted'),
      refusal: lacking,
    },
    {
      label: 'a restricted key whose user also lacks the permission',
      authorization: withKey('restrictedOfUserWithout'),
      refusal: lacking,
    },
    {
      label: 'a restricted key in a tenant without a subscription',
      authorization: withKey('restrictedUnpaid'),
      refusal: lacking,
    },
    {
      label: 'a key whose user lacks the permission',
      authorization: withKey('ofUserWithout'),
      refusal: refused403,
    },
    {
      label: 'a key whose user lacks the permission, in a tenant without a subscription',
      authorization: withKey('ofUserWithoutUnpaid'),
      refusal: refused403,
    },
    {
      label: 'a key in a tenant without a subscription',
      authorization: withKey('unpaid'),
      refusal: refused402,
    },
  ];

  for (const endpoint of ENDPOINTS) {
    describe(endpoint.name, () => {
      for (const { label, authorization, refusal } of CASES) {
        it(`returns ${refusal.status} for ${endpoint.name} with ${label}`, async () => {
          const response = await send(endpoint, authorization());
          assertRefused(response, refusal);
          const challenge = refusal.status === 401 ? 'Api-Key realm="sluice"' : null;
          assert.equal(response.headers.get('www-authenticate'), challenge);
        });
      }

      it(`accepts the Api-Key scheme in any letter case and with extra spaces for ${endpoint.name}`, async () => {
        for (const scheme of ['Api-Key ', 'api-key ', 'API-KEY  ']) {
          assert.equal((await send(endpoint, `${scheme}${keys.valid}`)).status, endpoint.accepted);
        }
      });
    });
  }

  it('stores nothing from an upload that fails authentication, authorization or the subscription check', async () => {
    const before = await tracesOf(service);
    for (const { authorization } of CASES) await send(ENDPOINTS[0], authorization());
    assert.deepEqual(await tracesOf(service), before);
  });

  it('requires a valid API key for HEAD requests', async () => {
    const head = (key: string) => createClient(service.url, key).send('/ingestions', { method: 'HEAD' });
    assert.equal((await head(keys.unknown ?? '')).status, 401);
    assert.equal((await head(service.key)).status, 200);
  });

  describe('file uploads', () => {
    for (const [name, status] of [
      ['unknown', 401],
      ['ofUserWithout', 403],
      ['unpaid', 402],
    ] as const) {
      it(`returns ${status} before the client sends the body of an upload, and sends no 100 Continue`, async () => {
        for (const headers of [[], ['Expect: 100-continue']]) {
          const received = await announceUpload(service.url, keys[name] ?? '', headers);
          assert.match(received, new RegExp(`^HTTP/1\\.1 ${status} `));
        }
      });
    }

    it('sends 100 Continue for an authorized upload before the client sends the body', async () => {
      const received = await announceUpload(service.url, service.key, ['Expect: 100-continue']);
      assert.equal(received, 'HTTP/1.1 100 Continue\r\n\r\n');
    });
  });

  it("returns the same 404 for another tenant's ingestion as for an unknown ingestion", async () => {
    for (const path of ['', '/errors']) {
      const [foreign, unknown] = await Promise.all(
        [job, UNKNOWN_ID].map((id) => second.client.get(`/ingestions/${id}${path}`)),
      );
      assert.ok(foreign && unknown);
      const [error, sameError] = [foreign, unknown].map((response) =>
        assertRefused(response, {
          status: 404,
          code: 'not_found',
          detail: /^No ingestion has this ID\.$/,
        }),
      );
      assert.deepEqual({ ...error, id: '' }, { ...sameError, id: '' });
      assert.deepEqual([...foreign.headers.keys()], [...unknown.headers.keys()]);
    }
    assert.deepEqual((await second.client.get<Ingestion[]>('/ingestions')).body.data, []);
  });

  it('stores only the prefix of an API key and the hash of its secret, and logs no secret', async () => {
    const { prefix, secret } = parseApiKey(service.key) ?? createApiKey();
    const hash = createHash('sha256').update(secret).digest();
    const [row, ...others] = await service.sql(
      'select k.*, k::text as text from api_keys k where prefix = $1',
      [prefix],
    );
    assert.deepEqual(others, []);
    assert.deepEqual(row?.secret_sha256, hash);
    const stored = JSON.stringify(row);
    for (const known of [secret, Buffer.from(secret).toString('hex'), Buffer.from(secret).toString('base64')])
      assert.ok(!stored.includes(known));

    assert.match(service.output.stderr, /"url":"\/api\/v1\/ingestions"/);
    for (const key of Object.values(keys))
      assert.ok(!service.output.stderr.includes(key.split('.')[1] ?? ''));
  });

  it('keeps API key secrets out of later responses, audit events, logs and the database', async () => {
    const client = createClient(service.url, service.key);
    const { key, id } = await makeKey(client, { name: 'secret' });
    const { secret } = parseApiKey(key) ?? { secret: '' };
    const hash = createHash('sha256').update(secret).digest('hex');
    const responses = await Promise.all(
      ['/api-keys?page[size]=1000&include=user', `/api-keys/${id}`, '/audit-events?page[size]=1000'].map(
        async (path) => JSON.stringify((await client.get<ApiKey>(path)).body),
      ),
    );
    const rows = await service.sql('select row_to_json(e) from audit_events e');
    const keys = await service.sql<{ text: string }>('select k::text as text from api_keys k where id = $1', [
      id,
    ]);
    const seen = [...responses, JSON.stringify(rows), service.output.stderr, service.output.stdout];
    assert.match(service.output.stderr, /"url":"\/api\/v1\/api-keys"/);
    for (const text of [...seen, JSON.stringify(keys)]) assert.ok(!text.includes(secret));
    for (const text of seen) assert.ok(!text.includes(hash));
    assert.ok(JSON.stringify(keys).includes(hash));
  });
});

/** Changes a character in the middle of a key's secret. */
function changed(key = ''): string {
  const at = key.indexOf('.') + 10;
  return `${key.slice(0, at)}${key[at] === 'x' ? 'y' : 'x'}${key.slice(at + 1)}`;
}
