import { DeleteObjectCommand, type S3Client } from '@aws-sdk/client-s3';
import type { BlobStoreSettings } from '../config/blob-store-settings.ts';
import { assertBlobKey } from './blob-key.ts';
import type { BlobStore, BlobWriter, StoredBlob, UnfinishedBlob } from './blob-store.ts';
import { PartBuffers } from './part-buffers.ts';
import { S3BlobWriter } from './s3-blob-writer.ts';
import { assertBucket } from './s3-bucket.ts';
import { createS3Client, DEFAULT_TIMEOUTS, type S3Timeouts } from './s3-client.ts';
import { s3Failure } from './s3-failure.ts';
import { listObjects, listUploads } from './s3-list.ts';
import { readRange } from './s3-range.ts';
import { type ObjectName, S3Upload } from './s3-upload.ts';

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
    try {
      await this.#client.send(new DeleteObjectCommand(object), { ...(signal && { abortSignal: signal }) });
    } catch (error) {
      throw s3Failure(`delete the blob ${object.Key}`, error);
    }
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
