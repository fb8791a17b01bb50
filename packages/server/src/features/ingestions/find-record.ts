import type pg from 'pg';
import type { BlobStore } from '../../blobs/blob-store.ts';
import { readAsTenant } from '../../db/transaction.ts';
import { readRange } from '../../ingest/frames/read-range.ts';
import { decodeRecordIndex } from '../../ingest/frames/record-index.ts';
import { orDamaged, readStored, StoredFileError } from '../../ingest/frames/stored-bytes.ts';
import { findFrameOf, findFramesBetween } from './record-repository.ts';

/** A record in an uploaded file. Offsets and lengths are in bytes and refer to the decompressed file. */
export interface IngestionRecord {
  readonly recordIndex: number;
  readonly byteOffset: number;
  readonly bytes: number;
  /** The record, truncated to `maxBytes`. */
  readonly shown: Buffer;
}

export interface RecordAddress {
  readonly tenantId: string;
  readonly ingestionId: string;
  /** Key of the upload's blob. */
  readonly key: string;
  readonly recordIndex: number;
  /** Maximum bytes to read. */
  readonly maxBytes: number;
}

/**
 * Returns the record with this index; `undefined` if there is none. A record that is larger than a frame starts before
 * the frame whose record count includes it. Throws if a blob cannot be read. No database connection is held while blobs
 * are read.
 */
export async function findRecord(
  { pool, blobs }: { readonly pool: pg.Pool; readonly blobs: BlobStore },
  { tenantId, ingestionId, key, recordIndex, maxBytes }: RecordAddress,
): Promise<IngestionRecord | undefined> {
  const counting = await readAsTenant(pool, tenantId, (client) =>
    findFrameOf(client, tenantId, ingestionId, recordIndex),
  );
  if (counting === undefined) return undefined;
  const { firstRecord, byteOffset: frameOffset, indexOffset, indexBytes, indexCrc32 } = counting;
  const stored = await readStored(blobs, key, { offset: indexOffset, length: indexBytes, crc32: indexCrc32 });
  const index = orDamaged(() => decodeRecordIndex(stored));
  const range = index[recordIndex - firstRecord];
  if (range === undefined)
    throw new StoredFileError(
      'file_damaged',
      `the record index of a frame in ${key} does not contain record ${recordIndex}`,
    );

  const byteOffset = frameOffset + range.start;
  const bytes = range.end - range.start;
  const end = byteOffset + Math.min(bytes, maxBytes);
  const frames = await readAsTenant(pool, tenantId, (client) =>
    findFramesBetween(client, tenantId, ingestionId, byteOffset, end),
  );
  const pieces: Buffer[] = [];
  for (const frame of frames) {
    const { blobOffset: offset, dataBytes: length, dataCrc32 } = frame;
    const stored = await readStored(blobs, key, { offset, length, crc32: dataCrc32 });
    const from = Math.max(byteOffset - frame.byteOffset, 0);
    pieces.push(await readRange(stored, from, Math.min(end - frame.byteOffset, frame.bytes)));
  }
  return { recordIndex, byteOffset, bytes, shown: Buffer.concat(pieces) };
}
