import { createZstdDecompress } from 'node:zlib';
import type pg from 'pg';
import { type BlobStore, blobKey } from '../../blobs/blob-store.ts';
import { type Queryable, readAsTenant } from '../../db/transaction.ts';
import { findExisting } from '../../http/endpoints/resource-type.ts';
import { readStored, StoredFileError } from '../../ingest/frames/stored-frame.ts';
import { fileRemoved } from '../../jsonapi/errors.ts';
import { collectYoungGarbage } from '../../lib/reclaim-memory.ts';
import { type IngestionRow, ingestionResourceType } from '../../resources/ingestions.ts';

export interface StoredFileContext {
  readonly pool: pg.Pool;
  readonly blobs: BlobStore;
}

/** Identifies a stored file and specifies its expected size. */
export interface FileAddress {
  readonly tenantId: string;
  readonly ingestionId: string;
  readonly requestedAt: Date;
  /** Decompressed size. */
  readonly bytes: number;
}

/** Position of a frame's data in the blob, and the frame's decompressed size, in bytes. */
interface StoredFrame {
  readonly number: number;
  readonly blobOffset: number;
  /** Excludes the record index that follows the data. */
  readonly dataBytes: number;
  readonly bytes: number;
  readonly dataCrc32: number | null;
}

/** Size of a decompressed chunk. Limits the memory usage of a download regardless of the frame size. */
const OUTPUT_BYTES = 2 ** 18;

/** Number of chunks (4 MiB in total) after which the memory of sent chunks is reclaimed. */
const CHUNKS_PER_COLLECTION = 16;

/** Number of frames per query. A large file may have too many frames to hold in memory. */
const FRAMES_AT_ONCE = 500;

/** Finds a job whose file is stored. Throws an ApiError: 404 if the job does not exist, 410 if its file was removed. */
export async function findWithFile(
  pool: pg.Pool,
  tenantId: string,
  ingestionId: string | undefined,
): Promise<IngestionRow> {
  return await readAsTenant(pool, tenantId, async (client) => {
    const row = await findExisting(ingestionResourceType, client, tenantId, ingestionId);
    const { rowCount } = await client.query(
      'select from ingestions where tenant_id = $1 and id = $2 and blob_removed_at is not null',
      [tenantId, row.id],
    );
    if (rowCount === 1) throw fileRemoved(row.id);
    return row;
  });
}

/**
 * Opens the uploaded file and returns its decompressed content, frame by frame. Decompression does not block the thread
 * that serves requests. Throws if the first frame cannot be read; the returned generator throws errors in later frames.
 * No database connection is held between frames, and the generator can be closed early.
 */
export async function openStoredFile(
  { pool, blobs }: StoredFileContext,
  { tenantId, ingestionId, requestedAt, bytes }: FileAddress,
): Promise<AsyncGenerator<Buffer, void>> {
  const key = blobKey(tenantId, ingestionId, requestedAt);
  const framesFrom = (number: number) =>
    readAsTenant(pool, tenantId, (client) => findFrames(client, tenantId, ingestionId, number));
  const read = ({ blobOffset, dataBytes, dataCrc32 }: StoredFrame) =>
    readStored(blobs, key, { offset: blobOffset, length: dataBytes, crc32: dataCrc32 });

  let frames = await framesFrom(0);
  const [first] = frames;
  // Read the first frame before the response starts, so that a missing blob results in an error response instead of an
  // interrupted download.
  if (first === undefined) throw new Error(`the frames of ${key} do not exist`);
  let stored: Buffer | undefined = await read(first);

  return (async function* content(): AsyncGenerator<Buffer> {
    let sent = 0;
    while (frames.length > 0) {
      for (const frame of frames) {
        yield* inflateFrame(stored ?? (await read(frame)), frame);
        stored = undefined;
        sent += frame.bytes;
      }
      frames = await framesFrom((frames.at(-1)?.number ?? 0) + 1);
    }
    if (sent !== bytes) throw new Error(`the frames of ${key} have ${sent} bytes instead of ${bytes}`);
  })();
}

async function* inflateFrame(
  stored: Buffer,
  { number, bytes }: Pick<StoredFrame, 'number' | 'bytes'>,
): AsyncGenerator<Buffer> {
  const decoder = createZstdDecompress({ chunkSize: OUTPUT_BYTES });
  decoder.end(stored);
  let inflated = 0;
  let chunks = 0;
  for await (const chunk of decoder) {
    const piece: Buffer = chunk;
    inflated += piece.length;
    if (inflated > bytes) break;
    yield piece;
    if (++chunks % CHUNKS_PER_COLLECTION === 0) collectYoungGarbage();
  }
  if (inflated !== bytes)
    throw new StoredFileError(
      'file_damaged',
      `frame ${number} has at least ${inflated} bytes instead of ${bytes}`,
    );
}

/**
 * Returns an upload's next frames in order, starting with the frame with this number. Returns an empty array after the
 * last frame.
 */
async function findFrames(
  client: Queryable,
  tenantId: string,
  ingestionId: string,
  from: number,
): Promise<readonly StoredFrame[]> {
  const { rows } = await client.query<StoredFrame>(
    `select number, blob_offset::float8 as "blobOffset", blob_bytes - index_bytes as "dataBytes",
       bytes::float8 as bytes, data_crc32::float8 as "dataCrc32"
     from frames where tenant_id = $1 and ingestion_id = $2 and number >= $3 order by number limit $4`,
    [tenantId, ingestionId, from, FRAMES_AT_ONCE],
  );
  return rows;
}
