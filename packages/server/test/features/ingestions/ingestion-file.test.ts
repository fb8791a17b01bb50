import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { gunzipSync, gzipSync, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { arrayFile } from '../../support/array-file.ts';
import { type Client, createClient } from '../../support/client.ts';
import { download } from '../../support/download.ts';
import { joinService, type SharedService } from '../../support/lanes.ts';
import { createKey, createUser } from '../../support/operator.ts';
import { record } from '../../support/records.ts';
import { assertRefused } from '../../support/refusal.ts';
import { createSecondTenant, type SecondTenant } from '../../support/second-tenant.ts';

type Headers = Readonly<Record<string, string>>;

describe('uploaded files', () => {
  let service: SharedService;
  let client: Client;
  let second: SecondTenant;
  before(async () => {
    service = await joinService();
    client = createClient(service.url, service.key);
    second = await createSecondTenant(service);
  });
  after(() => service.leave());

  const downloadFile = (id: string, headers: Headers = {}, method = 'GET') =>
    download(`${service.url}/api/v1/ingestions/${id}/file`, {
      method,
      headers: { authorization: `Api-Key ${service.key}`, ...headers },
    });
  const numbered = (count: number) =>
    Array.from({ length: count }, (_, index) => record({ finding_info: { uid: `finding-${index}` } }));

  it('returns valid and invalid files byte for byte as they were uploaded', async () => {
    const good = JSON.stringify(numbered(3), undefined, 3);
    for (const file of [
      Buffer.from(good),
      Buffer.from(`\ufeff\r\n${good}\n`),
      Buffer.from('no JSON'),
      Buffer.from(good.slice(0, -7)),
      Buffer.from(`[1, "Prüfung", nonsense,]`),
      Buffer.from([0xff, 0xfe, 0x5b, 0x00, 0x80]),
    ]) {
      const { id } = await client.ingest(file);
      const { status, headers, body } = await downloadFile(id);
      assert.equal(status, 200);
      assert.deepEqual(body, file);
      assert.equal(headers['content-type'], 'application/octet-stream');
      assert.equal(headers['content-length'], String(file.length));
      assert.equal(headers['content-encoding'], undefined);
    }
  });

  it('returns a complete file of several frames as soon as its upload is accepted', async () => {
    const file = Buffer.from(arrayFile(numbered(12_001)).bytes);
    const { body } = await client.upload(file);
    assert.ok((await downloadFile(body.data.id)).body.equals(file));
  });

  it('returns an uploaded file at the URL in the ingestion resource', async () => {
    const file = Buffer.from(JSON.stringify(numbered(1)));
    const { id } = await client.ingest(file);
    const { body } = await client.get<{
      relationships: { file: { links: { related: string } } };
    }>(`/ingestions/${id}`);
    const response = await fetch(body.data.relationships.file.links.related, {
      headers: { authorization: `Api-Key ${service.key}` },
    });
    assert.deepEqual(Buffer.from(await response.arrayBuffer()), file);
  });

  it('returns the decompressed file of a compressed upload, and removes the compression suffix from its name', async () => {
    const file = Buffer.from(arrayFile(numbered(6000)).bytes);
    for (const [compressed, ending] of [
      [gzipSync(file), '.gz'],
      [zstdCompressSync(file), '.zst'],
    ] as const) {
      const { id } = await client.ingest(compressed, { fileName: `scan.ocsf.json${ending}` });
      const { headers, body } = await downloadFile(id);
      assert.ok(body.equals(file));
      assert.equal(headers['content-disposition'], 'attachment; filename="scan.ocsf.json"');
    }
  });

  describe('content negotiation', () => {
    const file = Buffer.from(arrayFile(numbered(6000)).bytes);
    let id: string;
    before(async () => {
      id = (await client.ingest(file)).id;
    });

    it('returns a file in the content coding that the client prefers', async () => {
      for (const [accepted, coding] of [
        ['gzip', 'gzip'],
        ['x-gzip', 'gzip'],
        ['ZSTD', 'zstd'],
        ['gzip, deflate, br, zstd', 'zstd'],
        ['gzip;q=1.0, zstd;q=0.9', 'gzip'],
        ['zstd;q=0, gzip ; q=0.001', 'gzip'],
        ['identity, gzip;q=0.5', undefined],
        ['gzip;q=0', undefined],
        ['gzip;q=high', undefined],
        ['deflate, br', undefined],
        ['*', undefined],
        ['', undefined],
      ] as const) {
        const { status, headers, body } = await downloadFile(id, { 'accept-encoding': accepted });
        assert.deepEqual([status, headers['content-encoding']], [200, coding], accepted);
        assert.equal(headers.vary, 'Accept-Encoding');
        const content =
          coding === 'gzip' ? gunzipSync(body) : coding === 'zstd' ? zstdDecompressSync(body) : body;
        assert.ok(content.equals(file), accepted);
        assert.equal(headers['content-length'], coding === undefined ? String(file.length) : undefined);
        if (coding !== undefined) assert.ok(body.length < file.length / 5, `${body.length} bytes`);
      }
    });

    it('returns a complete file to a client that decompresses responses', async () => {
      for (const accepted of ['zstd', 'gzip']) {
        const response = await fetch(`${service.url}/api/v1/ingestions/${id}/file`, {
          headers: { authorization: `Api-Key ${service.key}`, 'accept-encoding': accepted },
        });
        assert.equal(response.headers.get('content-encoding'), accepted);
        assert.ok(Buffer.from(await response.arrayBuffer()).equals(file), accepted);
      }
    });

    it('returns the same headers for HEAD as for GET requests to a file', async () => {
      for (const accepted of ['identity', 'gzip', 'zstd']) {
        const get = await downloadFile(id, { 'accept-encoding': accepted });
        const head = await downloadFile(id, { 'accept-encoding': accepted }, 'HEAD');
        assert.deepEqual([head.status, head.body.length], [200, 0]);
        for (const name of ['type', 'length', 'encoding', 'disposition'])
          assert.equal(head.headers[`content-${name}`], get.headers[`content-${name}`], `content-${name}`);
        assert.equal(head.headers.vary, 'Accept-Encoding');
      }
    });
  });

  it('sanitizes hostile file names in the Content-Disposition header', async () => {
    const { id } = await client.ingest(numbered(1));
    for (const [name, header] of [
      ['findings.ocsf.json', 'filename="findings.ocsf.json"'],
      ['a b.json', 'filename="a b.json"'],
      [
        'Prüfung (März).json',
        `filename="Pr_fung (M_rz).json"; filename*=UTF-8''Pr%C3%BCfung%20%28M%C3%A4rz%29.json`,
      ],
      ['𝄞.json', `filename="_.json"; filename*=UTF-8''%F0%9D%84%9E.json`],
      ['a".json', `filename="a_.json"; filename*=UTF-8''a%22.json`],
      [
        `"; filename=x.exe; x="`,
        `filename="_; filename=x.exe; x=_"; filename*=UTF-8''${encodeURIComponent('"; filename=x.exe; x="')}`,
      ],
      ['100%41.json', `filename="100_41.json"; filename*=UTF-8''100%2541.json`],
      ["it's *.json", 'filename="it\'s *.json"'],
      ['a\r\nX-Evil: 1.json', 'filename="aX-Evil: 1.json"'],
      ['a\u0085b\u007f.json', 'filename="ab.json"'],
      ['scan\u202enosj.exe', 'filename="scannosj.exe"'],
      ['../../etc/passwd', 'filename=".._.._etc_passwd"'],
      ['C:\\scans\\a.json', 'filename="C:_scans_a.json"'],
      ['.gz', `filename="${id}.ocsf.json"`],
      [' ', `filename="${id}.ocsf.json"`],
      [null, `filename="${id}.ocsf.json"`],
    ] as const) {
      await service.sql('update ingestions set file_name = $1 where id = $2', [name, id]);
      const { status, headers } = await downloadFile(id);
      assert.equal(status, 200, String(name));
      assert.equal(headers['content-disposition'], `attachment; ${header}`);
      assert.equal(headers['x-evil'], undefined);
    }
  });

  it("returns the same 404 for another tenant's file as for an unknown file", async () => {
    const { id } = await client.ingest(numbered(1));
    const notFound = { status: 404, code: 'not_found', detail: /^No ingestion has this ID\.$/ };
    assertRefused(await second.client.get(`/ingestions/${id}/file`), notFound);
    for (const unknown of ['0198a000-0000-7000-8000-000000000001', 'x', '..%2Ffile'])
      assertRefused(await client.get(`/ingestions/${unknown}/file`), notFound);
  });

  it('rejects query parameters on the file endpoint', async () => {
    const { id } = await client.ingest(numbered(1));
    for (const parameter of [
      'download',
      'sort',
      'include',
      'page[size]',
      'fields[ingestions]',
      'filter[code]',
    ]) {
      assertRefused(await client.get(`/ingestions/${id}/file?${parameter}=1`), {
        status: 400,
        code: 'invalid_parameter',
        detail: /./,
        source: { parameter },
      });
    }
  });

  it('returns a file only with a subscription and if both the API key and its user have manage_ingestions', async () => {
    const { id } = await client.ingest(numbered(1));
    const { tenantId } = service;
    await createUser(service, tenantId, 'reader@example.com', 'manage_scans');
    const restricted = await createKey(service, tenantId, 'admin@localhost', '--permissions', 'manage_scans');
    const reader = await createKey(service, tenantId, 'reader@example.com');
    const statusFor = async (key: string) => (await client.as(key).get(`/ingestions/${id}/file`)).status;
    assert.deepEqual(
      [await statusFor('sk_x.y'), await statusFor(restricted), await statusFor(reader)],
      [401, 401, 403],
    );
    await service.sluiceJson('subscription', 'set', '--tenant', tenantId, 'none');
    assert.equal(await statusFor(service.key), 402);
    await service.sluiceJson('subscription', 'set', '--tenant', tenantId, 'active');
    assert.equal((await downloadFile(id)).status, 200);
  });
});
