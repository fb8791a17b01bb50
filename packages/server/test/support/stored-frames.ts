import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { zstdDecompressSync } from 'node:zlib';
import type { Ingestion } from './client.ts';
import { blobOf } from './refusal.ts';
import type { TenantService } from './service.ts';

interface StoredFrame {
  readonly number: number;
  readonly first_record: number;
  readonly records: number;
  readonly byte_offset: number;
  readonly bytes: number;
  readonly blob_offset: number;
  readonly blob_bytes: number;
  readonly index_bytes: number;
  readonly extract_bytes: number;
}

export interface StoredUpload {
  readonly frames: readonly StoredFrame[];
  /** The concatenated content of the frames. */
  readonly content: Buffer;
  readonly blob: Buffer<ArrayBuffer>;
  /** The path of the blob. */
  readonly path: string;
}

const SKIPPABLE_MAGIC = 0x184d2a50;

/**
 * Reads the stored data of an upload according to its rows. Asserts that the rows cover the blob, file and records
 * without gap or overlap, and that each frame is zstd data followed by two skippable frames:
 * the extract and the record index.
 */
export async function readStored(
  { sql, dataDir }: TenantService,
  { id, attributes }: Ingestion,
): Promise<StoredUpload> {
  const frames = await sql<StoredFrame & Record<string, unknown>>(
    `select number, first_record::int, records, byte_offset::int, bytes::int, blob_offset::int, blob_bytes, index_bytes,
       extract_bytes
     from frames where ingestion_id = $1 order by number`,
    [id],
  );
  const path = await blobOf(dataDir, id);
  const blob = await readFile(path);
  const pieces: Buffer[] = [];
  const next = { number: 0, first_record: 0, byte_offset: 0, blob_offset: 0 };
  for (const { number, first_record, byte_offset, blob_offset, ...frame } of frames) {
    assert.deepEqual({ number, first_record, byte_offset, blob_offset }, next);
    const indexAt = blob_offset + frame.blob_bytes - frame.index_bytes;
    const extractAt = indexAt - frame.extract_bytes;
    const piece = zstdDecompressSync(blob.subarray(blob_offset, indexAt));
    assert.equal(piece.length, frame.bytes);
    for (const [at, length] of [
      [extractAt, frame.extract_bytes],
      [indexAt, frame.index_bytes],
    ] as const) {
      assert.equal(blob.readUInt32LE(at), SKIPPABLE_MAGIC);
      assert.equal(blob.readUInt32LE(at + 4), length - 8);
    }
    pieces.push(piece);
    next.number++;
    next.first_record += frame.records;
    next.byte_offset += frame.bytes;
    next.blob_offset += frame.blob_bytes;
  }
  assert.equal(next.first_record, attributes.summary.total);
  assert.equal(next.blob_offset, blob.length);
  return { frames, content: Buffer.concat(pieces), blob, path };
}
