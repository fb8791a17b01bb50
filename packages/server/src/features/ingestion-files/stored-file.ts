import { createZstdDecompress } from 'node:zlib';
import type pg from 'pg';
import { blobKey } from '../../blob-store/blob-key.ts';
import type { BlobStore } from '../../blob-store/blob-store.ts';
import { readAsTenant } from '../../db/transaction.ts';
import { readStored, StoredFileError } from '../../frames/stored-bytes.ts';
import { collectYoungGarbage } from '../../reclaim-memory.ts';
import { findFrames, type StoredFrame } from './repository.ts';

export interface StoredFileContext {
  readonly pool: pg.Pool;
  readonly blobs: BlobStore;
}

/** Which file, and how much it has to be. */
export interface FileAddress {
  readonly tenantId: string;
  readonly ingestionId: string;
  readonly requestedAt: Date;
  /** Inflated. */
  readonly bytes: number;
}

/** What is inflated at once; the memory of a download does not grow with its frames. */
const OUTPUT_BYTES = 2 ** 18;
/** After so many the chunks that were sent are collected: 4 MiB. */
const CHUNKS_PER_COLLECTION = 16;

/**
 * Opens the uploaded file, inflated: its content frame by frame, each inflated beside the thread that answers requests.
 * Throws where its blob cannot be read; where only a later part of it cannot, the content does. No connection to the
 * database is held between frames, and ending the content early leaves nothing open.
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
  // Read before anything is answered: a blob that is gone is an error, not a download that breaks off.
  if (first === undefined) throw new Error(`the frames of ${key} are not there`);
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
    if (sent !== bytes) throw new Error(`the frames of ${key} hold ${sent} bytes, ${bytes} were expected`);
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
      `frame ${number} holds ${inflated} bytes or more, not ${bytes}`,
    );
}
