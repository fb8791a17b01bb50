import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type ApiResponse, type Client, createClient } from '../../support/client.ts';
import { createKey } from '../../support/operator.ts';
import { announceUpload } from '../../support/raw-upload.ts';
import { record } from '../../support/records.ts';
import { assertRefused, assertRefusedWithoutTrace } from '../../support/refusal.ts';
import { createSandbox } from '../../support/sandbox.ts';
import type { Service } from '../../support/service.ts';

interface LimitsResource {
  readonly attributes: Readonly<Record<string, unknown>>;
}

describe('rate limits', () => {
  const sandbox = createSandbox();
  let service: Service;
  let client: Client;
  let key: string;
  before(async () => {
    service = await sandbox.startService({
      SLUICE_REQUESTS_PER_MINUTE: '5',
      SLUICE_UPLOADS_PER_MINUTE: '2',
      SLUICE_FAILED_AUTHENTICATIONS_PER_MINUTE: '',
    });
    client = createClient(service.url, service.key);
    key = await createKey(service, service.tenantId, 'admin@localhost');
  });
  after(() => sandbox.clear());

  const assertWait = ({ headers }: ApiResponse<unknown>) => {
    const seconds = Number(headers.get('retry-after'));
    assert.ok(Number.isInteger(seconds) && seconds >= 1 && seconds <= 60, `Retry-After: ${seconds}`);
  };
  const tooMany = (requests: string, max: number) => ({
    status: 429,
    code: 'rate_limited',
    detail: new RegExp(
      `^The API key sent ${max + 1} ${requests} in a minute; the maximum is ${max}\\. Try again in \\d+ seconds?\\.$`,
    ),
  });

  it('includes the rate limits in the /limits response', async () => {
    const { status, body } = await createClient(service.url, key).get<LimitsResource>('/limits');
    assert.equal(status, 200);
    assert.deepEqual(body.data.attributes, {
      upload_max_bytes: 2 ** 30,
      inflated_max_bytes: 5 * 2 ** 30,
      encodings: ['identity', 'gzip', 'zstd'],
      upload_max_parts: 20,
      uploads_at_once: 16,
      uploads_at_once_per_tenant: 12,
      upload_queue_seconds: 30,
      upload_min_bytes_per_second: 1024,
      upload_pace_seconds: 60,
      upload_max_hours: 6,
      reads_at_once: 6,
      reads_at_once_per_tenant: 4,
      read_queue_seconds: 5,
      read_seconds: 20,
      exports_at_once: 4,
      exports_at_once_per_tenant: 1,
      record_max_bytes: 4 * 2 ** 20,
      record_max_depth: 100,
      record_max_keys: 50_000,
      errors_kept_per_job: 10_000,
      default_page_size: 10,
      max_page_size: 1000,
      requests_per_minute: 5,
      uploads_per_minute: 2,
      failed_authentications_per_minute: 300,
      idempotency_keys_kept_hours: 48,
      files_kept_days: 30,
      jobs_kept_days: 365,
      document_max_bytes: 65_536,
      document_seconds: 30,
      headers_max_bytes: 16_384,
      headers_max_count: 200,
      header_seconds: 20,
      idle_seconds: 120,
      keep_alive_seconds: 72,
      max_connections: 4096,
    });
  });

  it('returns 429 with Retry-After, the limit and the count for an upload over the rate limit', async () => {
    for (let upload = 1; upload <= 2; upload++) assert.equal((await client.upload([record()])).status, 202);
    let response: ApiResponse<unknown> | undefined;
    const error = await assertRefusedWithoutTrace(
      service,
      async () => {
        response = await client.upload([record()]);
        return response;
      },
      tooMany('uploads', 2),
    );
    assert.deepEqual(error.meta, { limit: 'uploads_per_minute', max: 2, seen: 3 });
    assert.ok(response);
    assertWait(response);
  });

  it('returns 429 for an upload over the rate limit before the client sends the body', async () => {
    const received = await announceUpload(service.url, service.key, ['Expect: 100-continue']);
    assert.match(received, /^HTTP\/1\.1 429 .*"limit":"uploads_per_minute"/s);
  });

  it('accepts other requests after the upload limit is reached, up to the request limit', async () => {
    assert.equal((await client.get('/ingestions')).status, 200);
    for (const path of ['/ingestions', '/limits']) {
      const response = await client.get(path);
      const seen = path === '/limits' ? 7 : 6;
      const error = assertRefused(response, {
        ...tooMany('requests', 5),
        detail: new RegExp(
          `^The API key sent ${seen} requests in a minute; the maximum is 5\\. Try again in \\d+ seconds?\\.$`,
        ),
      });
      assert.deepEqual(error.meta, { limit: 'requests_per_minute', max: 5, seen });
      assertWait(response);
    }
  });

  it("reports the remaining quota for each of an API key's limits in RateLimit and RateLimit-Policy", async () => {
    const fresh = createClient(service.url, await createKey(service, service.tenantId, 'admin@localhost'));
    const limits = ({ headers }: ApiResponse<unknown>) => [
      headers.get('ratelimit-policy'),
      headers.get('ratelimit')?.replaceAll(/t=(?:[1-9]|[1-5]\d|60)\b/g, 't=T'),
    ];
    const [requests, uploads] = ['"requests_per_minute"', '"uploads_per_minute"'];
    const both = `${requests};q=5;w=60, ${uploads};q=2;w=60`;
    assert.deepEqual(limits(await fresh.get('/limits')), [`${requests};q=5;w=60`, `${requests};r=4;t=T`]);
    for (const remaining of [1, 0, 0]) {
      const response = await fresh.upload([record()]);
      const item = `${requests};r=${response.status === 202 ? remaining + 2 : 1};t=T`;
      assert.deepEqual(limits(response), [both, `${item}, ${uploads};r=${remaining};t=T`]);
    }
    await fresh.get('/limits');
    const refused = await fresh.get('/limits');
    assert.deepEqual([refused.status, limits(refused)[1]], [429, `${requests};r=0;t=T`]);
    const { headers } = await fresh.as('sk_wrong').get('/limits');
    assert.deepEqual([headers.get('ratelimit'), headers.get('ratelimit-policy')], [null, null]);
  });

  it('applies rate limits per API key, even if keys belong to the same user', async () => {
    const other = createClient(service.url, key);
    assert.equal((await other.upload([record()])).status, 202);
    assert.equal((await other.get('/ingestions')).status, 200);
  });
});
