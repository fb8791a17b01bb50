import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { after, before, describe, it } from 'node:test';
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
import { blobOf } from '../../support/refusal.ts';
import { createSandbox } from '../../support/sandbox.ts';
import type { Service } from '../../support/service.ts';

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

// Uses separate processes: the worker starts after the extracts have been replaced.
describe('the extract of a frame', () => {
  const sandbox = createSandbox();
  let deployment: Deployment;
  let api: Service;
  let client: Client;
  before(async () => {
    deployment = await createDeployment(sandbox);
    api = await deployment.startApi();
    client = createClient(api.url, await createTenantKey(api));
  });
  after(() => sandbox.clear());

  interface Stored {
    readonly id: string;
    readonly file: string;
    readonly data: Buffer;
    readonly extract: Buffer;
    readonly index: Buffer;
  }
  const upload = async (name: string, records = recordsOf(name)): Promise<Stored> => {
    const { status, body } = await client.upload(arrayFile(records).bytes);
    assert.equal(status, 202);
    const { id } = body.data;
    const [frame] = await api.sql<{ bytes: number; index: number; extract: number }>(
      `select blob_bytes as bytes, index_bytes as index, extract_bytes as extract
       from frames where ingestion_id = $1`,
      [id],
    );
    const file = await blobOf(deployment.dataDir, id);
    const blob = await readFile(file);
    assert.equal(frame?.bytes, blob.length);
    const indexAt = frame.bytes - frame.index;
    const extractAt = indexAt - frame.extract;
    return {
      id,
      file,
      data: blob.subarray(0, extractAt),
      extract: blob.subarray(extractAt, indexAt),
      index: blob.subarray(indexAt),
    };
  };
  const replaceSection = async ({ id, file, index }: Stored, data: Buffer, extract: Buffer) => {
    const section = Buffer.concat([data, extract]);
    const blob = Buffer.concat([section, index]);
    await writeFile(file, blob);
    await api.sql(
      'update frames set blob_bytes = $2, extract_bytes = $3, data_crc32 = $4 where ingestion_id = $1',
      [id, blob.length, extract.length, crc32(section)],
    );
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
      `select check_id, title, description, risk, remediation, "references", categories, compliance from checks
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

  it('is ignored if it is missing or from another release, and the data gives the same result', async () => {
    const names = ['expected', 'missing1', 'release1'] as const;
    const [expected, missing, release] = await Promise.all(names.map((name) => upload(name)));
    assert.ok(expected && missing && release);
    await replaceSection(release, release.data, encodeSkippable(zstdCompressSync(Buffer.alloc(100, 1))));
    await replaceSection(missing, missing.data, Buffer.alloc(0));
    await api.sql('update frames set extract_bytes = null where ingestion_id = $1', [missing.id]);
    const worker = await deployment.startWorker();
    const result = await resultOf(expected.id, 'expected');
    assert.deepEqual(await resultOf(missing.id, 'missing1'), result);
    assert.deepEqual(await resultOf(release.id, 'release1'), result);
    worker.signalGroup('SIGTERM');
    await worker.exited;
  });

  it('is sufficient to ingest a frame whose records are all valid', async () => {
    const records = Array.from({ length: 50 }, (_, at) =>
      record({ finding_info: { uid: `valid ${at}` }, metadata: { event_code: 'valid' } }),
    );
    const stored = await upload('valid', records);
    await replaceSection(stored, randomBytes(stored.data.length), stored.extract);
    const worker = await deployment.startWorker();
    const { attributes } = await client.ended(stored.id);
    assert.deepEqual([attributes.status, attributes.summary.invalid], ['completed', 0]);
    worker.signalGroup('SIGTERM');
    await worker.exited;
  });
});
