import type { BlobWriter } from './blob-store.ts';
import { PART_BYTES, type PartBuffers } from './part-buffers.ts';
import type { S3Upload } from './s3-upload.ts';

/** Writes a blob in parts, or in one request if it is smaller than a part. One part is sent while the next is filled. */
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
