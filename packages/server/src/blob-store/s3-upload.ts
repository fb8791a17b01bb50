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
import { S3Failure, s3Failure } from './s3-failure.ts';

/** The object that a request is about. */
export interface ObjectName {
  readonly Bucket: string;
  readonly Key: string;
}

/** The requests that make one object, as a whole or in parts. Throws an S3Failure. */
export class S3Upload {
  readonly #client: S3Client;
  readonly #object: ObjectName;
  /** Stored with the object: tells that it is of this upload when an answer was lost. */
  readonly #writer = randomUUID();
  readonly #parts: CompletedPart[] = [];
  #uploadId: string | undefined;
  /** The object was asked for, and the answer was not that another is there. */
  #mayExist = false;

  constructor(client: S3Client, object: ObjectName) {
    this.#client = client;
    this.#object = object;
  }

  /** Makes the object of these bytes alone. */
  async put(bytes: Buffer): Promise<void> {
    const put = { ...this.#object, ...this.#marks(), Body: bytes };
    await this.#finish((condition) => this.#client.send(new PutObjectCommand({ ...put, ...condition })));
  }

  /** Stores the next part. The bytes must stay as they are until then. */
  async addPart(bytes: Buffer, signal: AbortSignal): Promise<void> {
    const UploadId = await this.#begin();
    const PartNumber = this.#parts.length + 1;
    const part = new UploadPartCommand({ ...this.#object, UploadId, PartNumber, Body: bytes });
    const { ETag, ChecksumCRC32 } = await this.#ask(`upload part ${PartNumber} of`, () =>
      this.#client.send(part, { abortSignal: signal }),
    );
    this.#parts.push({ PartNumber, ETag, ChecksumCRC32 });
  }

  /** Makes the object of its parts. */
  async complete(): Promise<void> {
    const MultipartUpload = { Parts: this.#parts };
    const complete = { ...this.#object, UploadId: this.#uploadId, MultipartUpload };
    await this.#finish((condition) =>
      this.#client.send(new CompleteMultipartUploadCommand({ ...complete, ...condition })),
    );
  }

  /** Removes all of it; both, where parts may have become an object without our hearing of it. */
  async remove(): Promise<void> {
    const UploadId = this.#uploadId;
    if (UploadId !== undefined) {
      const abort = new AbortMultipartUploadCommand({ ...this.#object, UploadId });
      await this.#ask('abort', () => this.#client.send(abort)).catch((error: unknown) => {
        if (!(error instanceof S3Failure && error.fault === 'NoSuchUpload')) throw error;
      });
    }
    if (this.#mayExist) {
      await this.#ask('remove', () => this.#client.send(new DeleteObjectCommand(this.#object)));
    }
  }

  async #begin(): Promise<string> {
    if (this.#uploadId !== undefined) return this.#uploadId;
    const create = new CreateMultipartUploadCommand({
      ...this.#object,
      ...this.#marks(),
      ChecksumAlgorithm: 'CRC32',
    });
    const { UploadId } = await this.#ask('begin', () => this.#client.send(create));
    if (UploadId === undefined) throw new Error(`S3 began the blob ${this.#object.Key} without an upload id`);
    this.#uploadId = UploadId;
    return UploadId;
  }

  /**
   * Makes the object. Where the answer to a first attempt is lost, the SDK's next one hears that the object is there,
   * or that the upload is there no more; then the object itself tells whether it is ours.
   */
  async #finish(make: (condition: { readonly IfNoneMatch?: '*' }) => Promise<unknown>): Promise<void> {
    this.#mayExist = true;
    try {
      await this.#ask('complete', () => make({ IfNoneMatch: '*' })).catch(async (error: unknown) => {
        // A server that does not know the condition may say so; keys are never used twice anyway.
        if (!(error instanceof S3Failure && error.status === 501)) throw error;
        await this.#ask('complete', () => make({}));
      });
    } catch (error) {
      if (!(error instanceof S3Failure)) throw error;
      const isTaken = error.status === 412;
      if (!isTaken && error.fault !== 'NoSuchUpload') throw error;
      if (await this.#isOurs()) return;
      if (isTaken) this.#mayExist = false;
      throw isTaken ? new S3Failure(`the blob ${this.#object.Key} exists`, error.fault, error.status) : error;
    }
  }

  async #isOurs(): Promise<boolean> {
    const head = new HeadObjectCommand(this.#object);
    const { Metadata } = await this.#ask('look at', () => this.#client.send(head));
    return Metadata?.writer === this.#writer;
  }

  #marks() {
    return { ContentType: 'application/zstd', Metadata: { writer: this.#writer } };
  }

  async #ask<Answer>(what: string, request: () => Promise<Answer>): Promise<Answer> {
    try {
      return await request();
    } catch (error) {
      throw s3Failure(`${what} the blob ${this.#object.Key}`, error);
    }
  }
}
