import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import { type Client, createClient, type Resource } from '../../support/client.ts';
import { record, without } from '../../support/records.ts';
import { assertRefused } from '../../support/refusal.ts';
import { type Service, startService } from '../../support/service.ts';

const MAX_RECORD_BYTES = 20 * 2 ** 20;
const SHOWN_BYTES = 2 ** 16;
const NOT_FOUND = { status: 404, code: 'not_found', detail: /no record with this index/ } as const;

describe('records of uploaded files', () => {
  let service: Service;
  let client: Client;
  before(async () => {
    service = await startService({ SLUICE_WORKERS: '1', SLUICE_RECORD_MAX_BYTES: String(MAX_RECORD_BYTES) });
    client = createClient(service.url, service.key);
  });
  after(() => service.remove());

  const recordOf = async (id: string, index: number | string, query = '') =>
    await client.get<Resource>(`/ingestions/${id}/records/${index}${query}`);
  const attributesOf = async (id: string, index: number) => (await recordOf(id, index)).body.data.attributes;
  /** Returns a file with these elements, and the byte offset of each element. */
  const fileOf = (texts: readonly string[]) => {
    const offsets: number[] = [];
    let at = 1;
    for (const text of texts) {
      offsets.push(at + 1);
      at += Buffer.byteLength(text) + 2;
    }
    return { file: Buffer.from(`[\n${texts.join(',\n')}\n]`), offsets };
  };

  it('returns valid and invalid records exactly as they were uploaded, with their positions', async () => {
    const texts = [
      JSON.stringify(record(), undefined, 3),
      JSON.stringify(without('finding_info.uid')),
      '{"Prüfung": nonsense}',
      '7',
      '{"twice": 1, "twice": 1.50}',
    ];
    const { file, offsets } = fileOf(texts);
    for (const upload of [file, gzipSync(file)]) {
      const { id } = await client.ingest(upload);
      for (const [index, text] of texts.entries()) {
        const { status, body } = await recordOf(id, index);
        assert.equal(status, 200);
        assert.deepEqual(
          [body.data.type, body.data.id, body.data.attributes],
          [
            'ingestion-records',
            `${id}.${index}`,
            {
              record_index: index,
              byte_offset: offsets[index],
              bytes: Buffer.byteLength(text),
              raw: text,
              truncated: false,
            },
          ],
        );
      }
    }
  });

  it('returns the record that an ingestion error refers to', async () => {
    const { id } = await client.ingest([record(), without('finding_info.uid'), record()]);
    const [error] = (await client.errors(id)).errors;
    const found = await attributesOf(id, error?.record_index ?? -1);
    assert.equal(found.byte_offset, error?.byte_offset);
    assert.deepEqual(JSON.parse(String(found.raw)), without('finding_info.uid'));
  });

  it('returns the first and the last record of each frame', async () => {
    const texts = Array.from({ length: 12_001 }, (_, index) =>
      JSON.stringify(record({ finding_info: { uid: `finding-${index}` } })),
    );
    const { file, offsets } = fileOf(texts);
    const { id } = await client.ingest(file);
    for (const index of [0, 4_999, 5_000, 5_001, 9_999, 10_000, 12_000]) {
      const { raw, byte_offset } = await attributesOf(id, index);
      assert.deepEqual([raw, byte_offset], [texts[index], offsets[index]]);
    }
  });

  it('returns the beginning of a long record, even if it spans several frames', async () => {
    const long = JSON.stringify(record({ message: 'ü'.repeat(SHOWN_BYTES) }));
    const tooLong = JSON.stringify(record({ message: 'x'.repeat(3 * MAX_RECORD_BYTES) }));
    const { file, offsets } = fileOf([JSON.stringify(record()), long, tooLong, JSON.stringify(record())]);
    const { id } = await client.ingest(file);
    for (const [index, text] of [long, tooLong].entries()) {
      const { raw, ...rest } = await attributesOf(id, index + 1);
      assert.deepEqual(rest, {
        record_index: index + 1,
        byte_offset: offsets[index + 1],
        bytes: Buffer.byteLength(text),
        truncated: true,
      });
      assert.equal(raw, Buffer.from(text).subarray(0, SHOWN_BYTES).toString());
    }
    assert.deepEqual(JSON.parse(String((await attributesOf(id, 3)).raw)), record());
  });

  it('returns the requested fields of a record, and 404 for an index beyond the last record', async () => {
    const { id } = await client.ingest([record(), record()]);
    const { body } = await recordOf(id, 1, '?fields[ingestion-records]=bytes');
    assert.deepEqual(Object.keys(body.data.attributes), ['bytes']);
    for (const index of ['2', '-1', '01', '1.0', '1e0', 'x', '9'.repeat(15), '9'.repeat(400), '%00'])
      assertRefused(await recordOf(id, index), NOT_FOUND);
    const { id: broken } = await client.ingest(Buffer.from('no JSON'));
    assertRefused(await recordOf(broken, 0), NOT_FOUND);
  });

  it('returns 410 for a record whose file was removed', async () => {
    const { id } = await client.ingest([record()]);
    await service.sql('update ingestions set blob_removed_at = now() where id = $1', [id]);
    assertRefused(await recordOf(id, 0), { status: 410, code: 'file_removed', detail: /was removed/ });
  });
});
