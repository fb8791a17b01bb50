import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { DeleteObjectCommand, GetObjectCommand, type S3Client } from '@aws-sdk/client-s3';
import type { BlobStoreSettings } from '../config/blob-store-settings.ts';
import {
  assertBlobKey,
  type BlobStore,
  BlobTooShort,
  type BlobWriter,
  type StoredBlob,
  type UnfinishedBlob,
} from './blob-store.ts';
import {
  assertBucket,
  createS3Client,
  DEFAULT_TIMEOUTS,
  S3Failure,
  type S3Timeouts,
  s3Failure,
  sendRequest,
} from './s3-client.ts';
import { listObjects, listUploads } from './s3-list.ts';
import { type ObjectName, PartBuffers, S3BlobWriter, S3Upload } from './s3-upload.ts';

/** Stores blobs as objects in an S3 bucket, or on a server with the same API. */
export class S3BlobStore implements BlobStore {
  readonly #settings: BlobStoreSettings & { readonly type: 's3' };
  readonly #timeouts: S3Timeouts;
  readonly #client: S3Client;
  readonly #buffers = new PartBuffers();

  constructor(
    settings: BlobStoreSettings & { readonly type: 's3' },
    timeouts: S3Timeouts = DEFAULT_TIMEOUTS,
  ) {
    this.#settings = settings;
    this.#timeouts = timeouts;
    this.#client = createS3Client(settings, timeouts);
  }

  async assertUsable(): Promise<void> {
    await assertBucket(this.#client, this.#settings.bucket);
  }

  prepare(): Promise<void> {
    return this.assertUsable();
  }

  /** Sends no request; the commit detects an existing key. */
  async create(key: string): Promise<BlobWriter> {
    return new S3BlobWriter(new S3Upload(this.#client, this.#object(key)), this.#buffers);
  }

  async read(key: string, offset: number, length: number): Promise<Buffer> {
    const object = this.#object(key);
    // HTTP ranges can't be empty.
    if (length === 0) return Buffer.alloc(0);
    return await readRange(this.#client, object, [offset, offset + length], this.#timeouts);
  }

  async delete(key: string, signal?: AbortSignal): Promise<void> {
    const object = this.#object(key);
    await sendRequest(`delete the blob ${object.Key}`, () =>
      this.#client.send(new DeleteObjectCommand(object), { ...(signal && { abortSignal: signal }) }),
    );
  }

  list(signal?: AbortSignal): AsyncIterable<StoredBlob> {
    return listObjects(this.#client, this.#settings, signal);
  }

  unfinished(signal?: AbortSignal): AsyncIterable<UnfinishedBlob> {
    return listUploads(this.#client, this.#settings, signal);
  }

  #object(key: string): ObjectName {
    assertBlobKey(key);
    return { Bucket: this.#settings.bucket, Key: `${this.#settings.prefix}${key}` };
  }
}

const FIRST_BACKOFF_MS = 100;

/**
 * Reads exactly the bytes [start, end) of an object, or throws an S3Failure. The SDK retries requests, but does not
 * resume interrupted response bodies. This function resumes them after the last received byte.
 */
async function readRange(
  client: S3Client,
  object: ObjectName,
  [start, end]: readonly [start: number, end: number],
  { attempts, readMs }: S3Timeouts,
): Promise<Buffer> {
  const bytes = Buffer.allocUnsafe(end - start);
  const signal = AbortSignal.timeout(readMs);
  let received = 0;
  for (let attempt = 1; received < bytes.length; attempt++) {
    try {
      const body = await openRange(client, object, [start + received, end], signal);
      for await (const chunk of body) {
        const piece: Buffer = chunk;
        received += piece.copy(bytes, received);
      }
      if (received < bytes.length) throw new Error(`the response ended at byte ${start + received}`);
    } catch (error) {
      const action = `read bytes ${start} to ${end} of the blob ${object.Key}`;
      if (signal.aborted)
        throw new S3Failure(`could not ${action} within ${readMs} ms`, 'TimeoutError', undefined);
      // The SDK has already retried error responses.
      if (error instanceof BlobTooShort) throw error;
      if (attempt === attempts || error instanceof S3Failure) throw s3Failure(action, error);
      await sleep(FIRST_BACKOFF_MS * 2 ** (attempt - 1));
    }
  }
  return bytes;
}

async function openRange(
  client: S3Client,
  object: ObjectName,
  [start, end]: readonly [start: number, end: number],
  abortSignal: AbortSignal,
): Promise<Readable> {
  const blob = `the blob ${object.Key}`;
  const get = new GetObjectCommand({ ...object, Range: `bytes=${start}-${end - 1}` });
  const { Body, ContentRange } = await client.send(get, { abortSignal }).catch((error: unknown) => {
    const failure = s3Failure(`read ${blob} from byte ${start} on`, error);
    if (failure.status !== 416) throw failure;
    throw new BlobTooShort(`${blob} ends before byte ${start}, the first requested byte`);
  });
  if (!(Body instanceof Readable))
    throw new S3Failure(`the S3 response does not contain ${blob}`, 'NoBody', undefined);
  if (ContentRange?.startsWith(`bytes ${start}-${end - 1}/`)) return Body;
  Body.destroy();
  throw new S3Failure(
    `bytes ${start} to ${end} of ${blob} were requested, but S3 returned ${ContentRange ?? 'the whole blob'}: it is too short, or the server does not support ranges`,
    'WrongRange',
    undefined,
  );
}
