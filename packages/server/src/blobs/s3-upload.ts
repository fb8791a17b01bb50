import { randomUUID } from 'node:crypto';
import {
  AbortMultipartUploadCommand,
  type CompletedPart,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  HeadObjectCommand,
  PutObjectCommand,
  type S3Client,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import type { BlobWriter } from './blob-store.ts';
import { S3Failure, sendRequest } from './s3-client.ts';

/**
 * The minimum size that S3 accepts for all parts except the last. These parts have exactly this size, because some
 * servers require parts of equal size.
 */
const PART_BYTES = 5 * 2 ** 20;
/** Maximum number of unused buffers to keep. A multipart upload uses two. */
const MAX_UNUSED = 2;

/** The bucket and key of an object. */
export interface ObjectName {
  readonly Bucket: string;
  readonly Key: string;
}

/**
 * Writes a blob in parts, or in one request if it is smaller than a part. One part is sent while the next is filled.
 */
export class S3BlobWriter implements BlobWriter {
  readonly #upload: S3Upload;
  readonly #buffers: PartBuffers;
  readonly #aborted = new AbortController();
  #part: Buffer | undefined;
  #partBytes = 0;
  #hasParts = false;
  /** The previous part, which is being sent while the next is filled. */
  #sending: Promise<void> = Promise.resolve();

  constructor(upload: S3Upload, buffers: PartBuffers) {
    this.#upload = upload;
    this.#buffers = buffers;
  }

  async append(bytes: Uint8Array): Promise<void> {
    for (let at = 0; at < bytes.length; ) {
      this.#part ??= this.#buffers.acquire();
      const piece = bytes.subarray(at, at + PART_BYTES - this.#partBytes);
      this.#part.set(piece, this.#partBytes);
      this.#partBytes += piece.length;
      at += piece.length;
      if (this.#partBytes === PART_BYTES) await this.#send(this.#part);
    }
  }

  async commit(): Promise<void> {
    if (this.#hasParts) {
      if (this.#part !== undefined) await this.#send(this.#part);
      await this.#sending;
      await this.#upload.complete();
    } else {
      await this.#upload.put(this.#part?.subarray(0, this.#partBytes) ?? Buffer.alloc(0));
    }
    this.#releasePart();
  }

  async abort(): Promise<void> {
    this.#aborted.abort();
    await Promise.allSettled([this.#sending]);
    this.#releasePart();
    await this.#upload.remove();
  }

  /** Waits until the previous part has been sent, so that at most two are in memory. */
  async #send(part: Buffer): Promise<void> {
    await this.#sending;
    const bytes = part.subarray(0, this.#partBytes);
    this.#part = undefined;
    this.#partBytes = 0;
    this.#hasParts = true;
    this.#sending = this.#upload
      .addPart(bytes, this.#aborted.signal)
      .finally(() => this.#buffers.release(part));
    // The next await throws the error; until then, the rejection must not count as unhandled.
    this.#sending.catch(() => undefined);
  }

  #releasePart(): void {
    if (this.#part !== undefined) this.#buffers.release(this.#part);
    this.#part = undefined;
  }
}

/** The requests that create one object, as a whole or in parts. Throws an S3Failure. */
export class S3Upload {
  readonly #client: S3Client;
  readonly #object: ObjectName;
  /** Stored in the object's metadata, to recognize this upload's object if a response was lost. */
  readonly #writer = randomUUID();
  readonly #parts: CompletedPart[] = [];
  #uploadId: string | undefined;
  /**
   * Whether this upload may have created the object: it requested the creation, and S3 did not report an existing
   * object.
   */
  #mayExist = false;

  constructor(client: S3Client, object: ObjectName) {
    this.#client = client;
    this.#object = object;
  }

  /** Creates the object from these bytes. */
  async put(bytes: Buffer): Promise<void> {
    const put = { ...this.#object, ...this.#metadata(), Body: bytes };
    await this.#finish((condition) => this.#client.send(new PutObjectCommand({ ...put, ...condition })));
  }

  /** Stores the next part. The bytes must not change until the promise resolves. */
  async addPart(bytes: Buffer, signal: AbortSignal): Promise<void> {
    const UploadId = await this.#begin();
    const PartNumber = this.#parts.length + 1;
    const part = new UploadPartCommand({ ...this.#object, UploadId, PartNumber, Body: bytes });
    const { ETag, ChecksumCRC32 } = await this.#request(`upload part ${PartNumber} of`, () =>
      this.#client.send(part, { abortSignal: signal }),
    );
    this.#parts.push({ PartNumber, ETag, ChecksumCRC32 });
  }

  /** Creates the object from its parts. */
  async complete(): Promise<void> {
    const MultipartUpload = { Parts: this.#parts };
    const complete = { ...this.#object, UploadId: this.#uploadId, MultipartUpload };
    await this.#finish((condition) =>
      this.#client.send(new CompleteMultipartUploadCommand({ ...complete, ...condition })),
    );
  }

  /** Removes the parts, and the object if it may have been created although the response was lost. */
  async remove(): Promise<void> {
    const UploadId = this.#uploadId;
    if (UploadId !== undefined) {
      const abort = new AbortMultipartUploadCommand({ ...this.#object, UploadId });
      await this.#request('abort', () => this.#client.send(abort)).catch((error: unknown) => {
        if (!(error instanceof S3Failure && error.fault === 'NoSuchUpload')) throw error;
      });
    }
    if (this.#mayExist) {
      await this.#request('remove', () => this.#client.send(new DeleteObjectCommand(this.#object)));
    }
  }

  async #begin(): Promise<string> {
    if (this.#uploadId !== undefined) return this.#uploadId;
    const create = new CreateMultipartUploadCommand({
      ...this.#object,
      ...this.#metadata(),
      ChecksumAlgorithm: 'CRC32',
    });
    const { UploadId } = await this.#request('begin', () => this.#client.send(create));
    if (UploadId === undefined) throw new Error(`S3 returned no upload id for the blob ${this.#object.Key}`);
    this.#uploadId = UploadId;
    return UploadId;
  }

  /**
   * Creates the object. If the response to the first attempt is lost, the SDK's retry fails, because the object already
   * exists or the multipart upload no longer does. The metadata of the object then shows whether this upload created
   * it.
   */
  async #finish(send: (condition: { readonly IfNoneMatch?: '*' }) => Promise<unknown>): Promise<void> {
    this.#mayExist = true;
    try {
      await this.#request('complete', () => send({ IfNoneMatch: '*' })).catch(async (error: unknown) => {
        // The server may not support conditional requests. Keys are never reused, so the condition can be omitted.
        if (!(error instanceof S3Failure && error.status === 501)) throw error;
        await this.#request('complete', () => send({}));
      });
    } catch (error) {
      if (!(error instanceof S3Failure)) throw error;
      const isTaken = error.status === 412;
      if (!isTaken && error.fault !== 'NoSuchUpload') throw error;
      if (await this.#isOwnObject()) return;
      if (isTaken) this.#mayExist = false;
      throw isTaken
        ? new S3Failure(`the blob ${this.#object.Key} already exists`, error.fault, error.status)
        : error;
    }
  }

  async #isOwnObject(): Promise<boolean> {
    const head = new HeadObjectCommand(this.#object);
    const { Metadata } = await this.#request('read the metadata of', () => this.#client.send(head));
    return Metadata?.writer === this.#writer;
  }

  #metadata() {
    return { ContentType: 'application/zstd', Metadata: { writer: this.#writer } };
  }

  async #request<Response>(action: string, send: () => Promise<Response>): Promise<Response> {
    return await sendRequest(`${action} the blob ${this.#object.Key}`, send);
  }
}

/**
 * A pool of buffers for parts. Without it, the buffers of large uploads would occupy memory until the next garbage
 * collection, and the buffers of small uploads would trigger garbage collections.
 */
export class PartBuffers {
  readonly #unused: Buffer[] = [];

  acquire(): Buffer {
    return this.#unused.pop() ?? Buffer.allocUnsafeSlow(PART_BYTES);
  }

  release(buffer: Buffer): void {
    if (this.#unused.length < MAX_UNUSED) this.#unused.push(buffer);
  }
}
