import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { readFile, truncate, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { pathToFileURL } from 'node:url';
import { crc32, zstdCompressSync } from 'node:zlib';
import { encodeSkippable } from '../../../src/ingest/frames/skippable-frame.ts';
import { arrayFile, type Element } from '../../support/array-file.ts';
import {
  type ApiTextResponse,
  type Client,
  createClient,
  type IngestionError,
} from '../../support/client.ts';
import { createDeployment, createTenantKey, type Deployment } from '../../support/deployment.ts';
import { record } from '../../support/records.ts';
import { blobsOf } from '../../support/refusal.ts';
import { createSandbox } from '../../support/sandbox.ts';
import type { Environment, Service } from '../../support/service.ts';

/** Records of every type. `name` is part of their uids and checks. */
function recordsOf(name: string): readonly Element[] {
  const of = (uid: string, members: Record<string, unknown> = {}) =>
    record({
      finding_info: { uid: `${name} ${uid}` },
      metadata: { event_code: `${name} check` },
      ...members,
    });
  const many = Array.from({ length: 700 }, (_, at) =>
    of(`many ${at}`, {
      metadata: { event_code: `${name} check ${at % 40}` },
      finding_info: {
        uid: `${name} many ${at}`,
        title: `Title ${at % 40} é`,
        desc: at % 40 === 7 ? 7 : 'Text',
      },
      status_code: at % 3 === 0 ? 'PASS' : 'FAIL',
    }),
  );
  const resource = (uid: string) => ({ uid, name: uid, type: 'Bucket', region: 'eu', labels: ['a:b', uid] });
  const text = (value: unknown) => JSON.stringify(value);
  return [
    of('first'),
    of('several', { resources: [resource('one'), resource('two'), { uid: 3 }] }),
    text(of('escaped')).replace('"status_code"', '"status\\u005fcode"'),
    text(of('repeated')).replace('"severity_id":4', '"severity_id":4,"severity_id":2'),
    of('list', { metadata: { event_code: `${name} list` }, remediation: ['text'], status_detail: { a: 1 } }),
    '{"class_uid": 2004,}',
    Buffer.concat([Buffer.from('{"class_uid": 2004, "message": "'), Buffer.of(0xe9), Buffer.from('"}')]),
    of('large', { unmapped: { notes: 'x'.repeat(1.5 * 2 ** 20) } }),
    of('rejected', { status_code: 'WHAT' }),
    ...many,
    of('odd', { status_detail: 'a\u0000b' }),
    of('last'),
  ];
}

// Uses separate processes: the worker starts after the extracts have been damaged.
describe('the extract of a frame', () => {
  const sandbox = createSandbox();
  let deployment: Deployment;
  let api: Service;
  let client: Client;
  let folder: string;
  let store: Environment;
  before(async () => {
    deployment = await createDeployment(sandbox);
    folder = await sandbox.newDataDir();
    store = { SLUICE_BLOB_STORE: pathToFileURL(path.join(folder, 'blobs')).href };
    api = await deployment.startApi(store);
    client = createClient(api.url, await createTenantKey(api));
  });
  after(() => sandbox.clear());

  interface Stored {
    readonly id: string;
    readonly file: string;
    readonly blob: Buffer;
    readonly dataBytes: number;
    readonly extractAt: number;
  }
  const upload = async (name: string): Promise<Stored> => {
    const { status, body } = await client.upload(arrayFile(recordsOf(name)).bytes);
    assert.equal(status, 202);
    const { id } = body.data;
    const [frame] = await api.sql<{ data: number; extract: number; end: number }>(
      `select blob_bytes - index_bytes as data, blob_bytes as extract, blob_bytes + extract_bytes as end
       from frames where ingestion_id = $1`,
      [id],
    );
    const file = (await blobsOf(folder)).find((found) => found.includes(id)) ?? assert.fail(id);
    const blob = await readFile(file);
    assert.equal(frame?.end, blob.length);
    return { id, file, blob, dataBytes: frame.data, extractAt: frame.extract };
  };
  /** Everything that a job leaves behind, without the name of its records. */
  const resultOf = async (id: string, name: string): Promise<unknown> => {
    const { attributes, meta } = await client.ended(id);
    const { errors } = await client.errors(id);
    const warnings = await client.get<IngestionError[]>(`/ingestions/${id}/warnings?page[size]=1000`);
    const findings: ApiTextResponse<{ attributes: Record<string, unknown> }[]> = await client.get(
      `/findings?filter[ingestion]=${id}&page[size]=1000`,
    );
    const checks = await api.sql(
      `select check_id, title, description, risk, remediation, "references", categories from checks
       where check_id like $1 order by check_id`,
      [`${name} %`],
    );
    assert.equal(findings.body.data?.length, 708);
    const result = {
      summary: attributes.summary,
      warnings: meta.warnings,
      errors,
      listed: warnings.body.data.map((warning) => warning.attributes),
      findings: findings.body.data
        .map(({ attributes: { inserted_at, updated_at, ...rest } }) => JSON.stringify(rest))
        .sort(),
      checks,
    };
    return JSON.parse(JSON.stringify(result).replaceAll(name, 'NAME'));
  };

  it('gives the same result as the data of the frame if it is damaged, truncated, missing or from another release', async () => {
    const names = ['intact-1', 'damaged1', 'missing1', 'shorter1', 'release1'] as const;
    const [intact, damaged, missing, shorter, release] = await Promise.all(names.map(upload));
    assert.ok(intact && damaged && missing && shorter && release);
    const at = damaged.extractAt + 100;
    damaged.blob[at] = (damaged.blob[at] ?? 0) ^ 4;
    await writeFile(damaged.file, damaged.blob);
    const set = 'update frames set extract_bytes = $2, extract_crc32 = $3 where ingestion_id = $1';
    await api.sql(set, [missing.id, null, null]);
    await truncate(shorter.file, shorter.blob.length - 1);
    const other = encodeSkippable(zstdCompressSync(Buffer.alloc(100, 1)));
    await writeFile(release.file, Buffer.concat([release.blob.subarray(0, release.extractAt), other]));
    await api.sql(set, [release.id, other.length, crc32(other)]);

    const worker = await deployment.startWorker(store);
    const expected = await resultOf(intact.id, 'intact-1');
    for (const [at, { id }] of [damaged, missing, shorter, release].entries())
      assert.deepEqual(await resultOf(id, names[at + 1] ?? ''), expected, names[at + 1]);
    const logged = worker.output.stderr.split('\n').filter((line) => line.includes('extract'));
    assert.equal(logged.length, 2, logged.join('\n'));
    assert.ok(logged.every((line) => line.includes('the extract of a frame is damaged')));
    worker.signalGroup('SIGTERM');
    await worker.exited;
  });

  it('is sufficient to ingest a frame whose records are all valid', async () => {
    const { status, body } = await client.upload(
      Array.from({ length: 50 }, (_, at) =>
        record({ finding_info: { uid: `valid ${at}` }, metadata: { event_code: 'valid' } }),
      ),
    );
    assert.equal(status, 202);
    const { id } = body.data;
    const file = (await blobsOf(folder)).find((found) => found.includes(id)) ?? assert.fail(id);
    const blob = await readFile(file);
    const [frame] = await api.sql<{ data: number }>(
      'select blob_bytes - index_bytes as data from frames where ingestion_id = $1',
      [id],
    );
    const data = randomBytes(frame?.data ?? assert.fail());
    await writeFile(file, Buffer.concat([data, blob.subarray(data.length)]));
    await api.sql('update frames set data_crc32 = $2 where ingestion_id = $1', [id, crc32(data)]);
    const worker = await deployment.startWorker(store);
    const { attributes } = await client.ended(id);
    assert.deepEqual([attributes.status, attributes.summary.invalid], ['completed', 0]);
    worker.signalGroup('SIGTERM');
    await worker.exited;
  });
});
