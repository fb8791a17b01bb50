import assert from 'node:assert/strict';
import { request } from 'node:http';
import { after, before, describe, it } from 'node:test';
import { gzipSync, zstdCompressSync } from 'node:zlib';
import { startEmbeddedPostgres } from '../../../src/db/embedded/embedded-postgres.ts';
import {
  type Client,
  createClient,
  DOCUMENT_TYPE,
  type Ingestion,
  type IngestionError,
} from '../../support/client.ts';
import { record, without } from '../../support/records.ts';
import { startPostgresAgain } from '../../support/restart-postgres.ts';
import { type Service, startEmbeddedService } from '../../support/service.ts';
import { until } from '../../support/until.ts';

const PUBLIC_URL = 'https://findings.example.com/of/sluice';
const API = `${PUBLIC_URL}/api/v1`;

interface LimitsResource {
  readonly type: string;
  readonly id: string;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly links: Readonly<Record<string, string>>;
}

interface HealthBody {
  readonly status: string;
  readonly reasons?: Readonly<Record<string, string>>;
}

describe('a service with custom settings', () => {
  let service: Service;
  let client: Client;
  before(async () => {
    service = await startEmbeddedService({
      SLUICE_PUBLIC_URL: `${PUBLIC_URL}//`,
      SLUICE_WORKERS: '1',
      SLUICE_UPLOAD_MAX_BYTES: '1000001',
      SLUICE_INFLATED_MAX_BYTES: '2000003',
      SLUICE_RECORD_MAX_BYTES: '30011',
      SLUICE_RECORD_MAX_DEPTH: '17',
      SLUICE_RECORD_MAX_KEYS: '257',
      SLUICE_ERRORS_KEPT_PER_JOB: '13',
      SLUICE_DEFAULT_PAGE_SIZE: '3',
      SLUICE_MAX_PAGE_SIZE: '7',
      SLUICE_REQUESTS_PER_MINUTE: '5003',
      SLUICE_UPLOADS_PER_MINUTE: '0',
      SLUICE_IDEMPOTENCY_KEY_HOURS: '29',
      SLUICE_FRAME_RETENTION_DAYS: '11',
      SLUICE_JOB_RETENTION_DAYS: '31',
      SLUICE_FAILED_AUTHENTICATIONS_PER_MINUTE: '77',
      SLUICE_UPLOADS_AT_ONCE: '5',
      SLUICE_READS_AT_ONCE: '7',
      SLUICE_READ_SECONDS: '31',
      SLUICE_UPLOAD_QUEUE_SECONDS: '11',
      SLUICE_UPLOAD_MIN_BYTES_PER_SECOND: '99',
      SLUICE_UPLOAD_PACE_SECONDS: '61',
      SLUICE_UPLOAD_MAX_HOURS: '1.5',
      SLUICE_DOCUMENT_SECONDS: '29',
      SLUICE_HEADER_SECONDS: '19',
      SLUICE_IDLE_SECONDS: '121',
      SLUICE_KEEP_ALIVE_SECONDS: '71',
      SLUICE_MAX_CONNECTIONS: '123',
    });
    client = createClient(service.url, service.key);
  });
  after(() => service.remove());

  it('reports every effective limit', async () => {
    const { status, body } = await client.get<LimitsResource>('/limits');
    assert.equal(status, 200);
    assert.deepEqual(body.data, {
      type: 'limits',
      id: 'limits',
      attributes: {
        upload_max_bytes: 1_000_001,
        inflated_max_bytes: 2_000_003,
        encodings: ['identity', 'gzip', 'zstd'],
        upload_max_parts: 20,
        uploads_at_once: 5,
        uploads_at_once_per_tenant: 3,
        upload_queue_seconds: 11,
        upload_min_bytes_per_second: 99,
        upload_pace_seconds: 61,
        upload_max_hours: 1.5,
        reads_at_once: 7,
        reads_at_once_per_tenant: 5,
        exports_at_once: 4,
        exports_at_once_per_tenant: 1,
        read_queue_seconds: 5,
        read_seconds: 31,
        record_max_bytes: 30_011,
        record_max_depth: 17,
        record_max_keys: 257,
        errors_kept_per_job: 13,
        default_page_size: 3,
        max_page_size: 7,
        requests_per_minute: 5003,
        uploads_per_minute: null,
        idempotency_keys_kept_hours: 29,
        files_kept_days: 11,
        jobs_kept_days: 31,
        failed_authentications_per_minute: 77,
        document_max_bytes: 65_536,
        document_seconds: 29,
        headers_max_bytes: 16_384,
        headers_max_count: 200,
        header_seconds: 19,
        idle_seconds: 121,
        keep_alive_seconds: 71,
        max_connections: 123,
      },
      links: { self: `${API}/limits` },
    });
    const only = await client.get<LimitsResource>('/limits?fields[limits]=encodings,max_page_size');
    assert.deepEqual(Object.keys(only.body.data.attributes), ['encodings', 'max_page_size']);
    const unknown = await client.get('/limits?fields[limits]=speed');
    assert.deepEqual([unknown.status, unknown.body.errors[0]?.source?.parameter], [400, 'fields[limits]']);
  });

  it('does not report limits without a valid API key', async () => {
    for (const key of ['', 'Api-Key', `Api-Key ${service.key}x`, service.key, `Bearer ${service.key}`]) {
      const { status } = await client.get('/limits', { authorization: key });
      assert.equal(status, 401, key);
    }
  });

  it('enforces the reported limits', async () => {
    const jobs: string[] = [];
    for (let count = 0; count < 4; count++) jobs.push((await client.ingest([record()])).id);
    const page = (query: string) => client.get<Ingestion[]>(`/ingestions${query}`);
    assert.equal((await page('')).body.data.length, 3);
    assert.equal((await page('?page[size]=7')).body.data.length, jobs.length);
    assert.equal((await page('?page[size]=8')).status, 400);

    const { id } = await client.ingest(Array.from({ length: 20 }, () => without('finding_info.uid')));
    const errors = await client.get<IngestionError[]>(`/ingestions/${id}/errors`);
    assert.equal(errors.body.meta.pagination.count, 13);

    const large = record({ status_detail: 'x'.repeat(30_011) });
    const deep = record({ unmapped: JSON.parse(`${'{"a":'.repeat(17)}0${'}'.repeat(17)}`) });
    const wide = record({ unmapped: Object.fromEntries(Array.from({ length: 257 }, (_, n) => [n, n])) });
    const refused = await client.ingest([large, deep, wide]);
    const { body } = await client.get<IngestionError[]>(`/ingestions/${refused.id}/errors?page[size]=7`);
    assert.deepEqual(
      body.data.map(({ attributes }) => attributes.code).filter((code) => code.startsWith('record_')),
      ['record_too_large', 'record_too_deep', 'record_too_many_keys'],
    );
  });

  it('accepts every reported content encoding', async () => {
    const { body } = await client.get<LimitsResource>('/limits');
    const encoders: Readonly<Record<string, (text: string) => Uint8Array<ArrayBuffer>>> = {
      identity: (text) => new TextEncoder().encode(text),
      gzip: (text) => new Uint8Array(gzipSync(text)),
      zstd: (text) => new Uint8Array(zstdCompressSync(text)),
    };
    assert.deepEqual(body.data.attributes.encodings, Object.keys(encoders));
    for (const [encoding, encode] of Object.entries(encoders)) {
      const { attributes } = await client.ingest(encode(JSON.stringify([record(), record()])));
      assert.deepEqual(
        [attributes.status, attributes.summary],
        ['completed', { total: 2, processed: 2, invalid: 0 }],
        encoding,
      );
    }
  });

  it('uses the public URL, including its path, in the Location header and in every link', async () => {
    const uploaded = await client.upload([record()]);
    const { id, links } = uploaded.body.data;
    for (const header of ['location', 'content-location'])
      assert.equal(uploaded.headers.get(header), `${API}/ingestions/${id}`);
    assert.deepEqual(links, { self: `${API}/ingestions/${id}` });
    for (const path of ['/ingestions', `/ingestions/${id}/errors`]) {
      const { body } = await client.get<Ingestion[]>(`${path}?page[size]=1&page[number]=2`);
      for (const link of [body.links.self, body.links.first, body.links.last, body.links.prev])
        assert.ok(link?.startsWith(`${API}${path}?page%5B`), String(link));
    }
  });

  it('returns a link to the scans page for new and repeated uploads', async () => {
    const headers = { 'idempotency-key': 'once' };
    for (const replayed of [null, 'true']) {
      const response = await client.upload([record()], { headers });
      assert.equal(response.headers.get('idempotency-replayed'), replayed);
      assert.deepEqual(response.body.meta, { version: 'v1', scans_url: `${PUBLIC_URL}/scans` });
    }
    const { body } = await client.get('/ingestions?page[size]=1');
    assert.deepEqual(Object.keys(body.meta).sort(), ['pagination', 'version']);
  });

  it('ignores the host names that a client sends', async () => {
    const host = 'elsewhere.example.org';
    const body = await new Promise<string>((resolve, reject) => {
      const path = `http://${host}/api/v1/ingestions`;
      const headers = { host, 'x-forwarded-host': host, authorization: `Api-Key ${service.key}` };
      request(service.url, { path, headers }, async (response) => {
        resolve(Buffer.concat(await response.toArray()).toString());
      })
        .on('error', reject)
        .end();
    });
    assert.equal(JSON.parse(body).links.first.split('?')[0], `${API}/ingestions`);
    assert.doesNotMatch(body, /elsewhere/);
  });

  describe('a PostgreSQL outage', () => {
    const health = async (name: string): Promise<{ status: number; body: HealthBody }> => {
      const response = await fetch(`${service.url}/health/${name}`);
      const body: HealthBody = JSON.parse(await response.text());
      return { status: response.status, body };
    };
    const pass = { status: 200, body: { status: 'pass' } };

    it('is live and ready while PostgreSQL is running', async () => {
      assert.deepEqual([await health('live'), await health('ready')], [pass, pass]);
    });

    it('is live but not ready while PostgreSQL is stopped, and returns JSON:API errors without internal details', async () => {
      const database = await startEmbeddedPostgres({ dataDir: service.dataDir, log: () => {} });
      assert.equal(database.startedByUs, false);
      await database.stop();

      assert.deepEqual(await health('live'), pass);
      // The result of the previous check is cached briefly.
      const { status, body } = await until(async () => {
        const response = await health('ready');
        return response.body.reasons?.database !== undefined && response;
      });
      assert.deepEqual([status, body.status], [503, 'fail']);
      assert.equal(body.reasons?.database, 'the database cannot be reached');
      for (const response of [await client.get('/ingestions'), await client.upload([record()])]) {
        const [error] = response.body.errors;
        assert.ok(response.status >= 500);
        assert.equal(error?.status, String(response.status));
        assert.equal(error?.id, response.headers.get('x-request-id'));
        assert.equal(response.headers.get('content-type'), DOCUMENT_TYPE);
        assert.equal(response.body.meta.version, 'v1');
        assert.doesNotMatch(JSON.stringify(response.body), /ECONN|127\.0\.0\.1|postgres/i);
      }
      assert.equal(service.process.exitCode, null);
    });

    it('becomes ready again when PostgreSQL restarts on the same port', async () => {
      await startPostgresAgain(service);
      await until(async () => (await health('ready')).status === 200);
      const job = await client.ingest([record()]);
      assert.equal(job.attributes.status, 'completed');
    });
  });
});
