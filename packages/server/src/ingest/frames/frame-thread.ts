import { Worker } from 'node:worker_threads';
import type { RecordLimits } from '@sluice/ocsf';
import type { BlobReport } from '../../blobs/instrumented-blob-store.ts';
import type { BlobStoreSettings } from '../../config/blob-store-settings.ts';
import { collectYoungGarbage } from '../../lib/reclaim-memory.ts';
import { siblingModule } from '../../lib/sibling-module.ts';
import type { WrittenFrames } from './frame-writer.ts';

/** Settings of the frame thread. */
export interface FrameThreadSettings {
  readonly blobStore: BlobStoreSettings;
  readonly limits: RecordLimits;
}

/** Requests to the frame thread. `id` identifies the upload. */
export type FrameRequest =
  | { readonly type: 'open'; readonly id: number; readonly key: string }
  /** The buffer is transferred, and returned with `consumed`. */
  | { readonly type: 'write'; readonly id: number; readonly buffer: ArrayBuffer; readonly length: number }
  | { readonly type: 'end' | 'abort'; readonly id: number };

/** Responses of the frame thread. After `ended`, `failed` or `aborted`, the id is not used again. */
export type FrameResponse =
  | { readonly type: 'consumed'; readonly id: number; readonly buffer: ArrayBuffer }
  | { readonly type: 'ended'; readonly id: number; readonly written: WrittenFrames }
  /** The code is separate, because errors lose it when they are sent to another thread. */
  | {
      readonly type: 'failed';
      readonly id: number;
      readonly error: unknown;
      readonly code?: string | undefined;
    }
  | { readonly type: 'aborted'; readonly id: number };

/** Messages of the frame thread: results of uploads, and reports of blob store operations. */
export type FrameMessage = FrameResponse | BlobReport;

/** Size of a batch of bytes that is sent to the thread. */
const BATCH_BYTES = 2 ** 19;
/** Batches per upload: one being compressed, one being split and one being filled. */
const BATCHES = 3;
/** Number of batches (4 MiB) after which the chunks that were copied into them are garbage-collected. */
const BATCHES_PER_COLLECTION = 8;
/** Smaller than V8's default, with which the heap would grow although the thread creates little garbage. */
const YOUNG_GENERATION_MIB = 6;

/**
 * Splits, compresses and stores uploads in a separate thread, off the thread that serves requests. One thread handles
 * all uploads of the process. If it dies, its current uploads fail, and the next upload starts a new thread.
 */
export class FrameThread {
  readonly #settings: FrameThreadSettings;
  readonly #onAbortFailed: (error: unknown) => void;
  readonly #onBlob: (report: BlobReport) => void;
  readonly #sinks = new Map<number, FrameSink>();
  #thread: Worker | undefined;
  #lastId = 0;

  /**
   * `onAbortFailed` is called with the error if the blob of an aborted upload could not be removed, and `onBlob`
   * after each operation on the blob store.
   */
  constructor(
    settings: FrameThreadSettings,
    onAbortFailed: (error: unknown) => void,
    onBlob: (report: BlobReport) => void,
  ) {
    this.#settings = settings;
    this.#onAbortFailed = onAbortFailed;
    this.#onBlob = onBlob;
    // Starts the thread early, so that the first upload does not wait for it.
    this.#start();
  }

  /** Creates a blob of frames under a new key. */
  open(key: string): FrameSink {
    const thread = this.#thread ?? this.#start();
    const id = ++this.#lastId;
    const post = (request: FrameRequest, transfer: ArrayBuffer[]) => thread.postMessage(request, transfer);
    const sink = new FrameSink(id, post, this.#onAbortFailed);
    this.#sinks.set(id, sink);
    thread.postMessage({ type: 'open', id, key } satisfies FrameRequest);
    return sink;
  }

  async stop(): Promise<void> {
    await this.#thread?.terminate();
  }

  #start(): Worker {
    const thread = new Worker(siblingModule(import.meta.url, 'frame-thread-entry'), {
      name: 'sluice-frames',
      workerData: this.#settings,
      resourceLimits: { maxYoungGenerationSizeMb: YOUNG_GENERATION_MIB },
    });
    thread.on('message', (message: FrameMessage) => {
      if (message.type === 'blob') return this.#onBlob(message);
      this.#sinks.get(message.id)?.onResponse(message);
      if (message.type !== 'consumed') this.#sinks.delete(message.id);
    });
    const fail = (error: unknown) => {
      if (this.#thread !== thread) return;
      this.#thread = undefined;
      for (const [id, sink] of this.#sinks) sink.onResponse({ type: 'failed', id, error });
      this.#sinks.clear();
    };
    thread.on('error', fail);
    thread.on('exit', (code) => fail(new Error(`the frame thread ended with code ${code}`)));
    this.#thread = thread;
    return thread;
  }
}

/** An upload that is being stored as frames. All methods reject after it has failed. */
export class FrameSink {
  readonly #id: number;
  readonly #post: (request: FrameRequest, transfer: ArrayBuffer[]) => void;
  readonly #onAbortFailed: (error: unknown) => void;
  #batch: Buffer<ArrayBuffer> = Buffer.from(new ArrayBuffer(BATCH_BYTES));
  #batchBytes = 0;
  #sentBatches = 0;
  #bufferCount = 1;
  #free: ArrayBuffer[] = [];
  #isFailed = false;
  #failure: unknown;
  /** Wakes the method that waits for the next response. */
  #wake: (() => void) | undefined;
  #written: WrittenFrames | undefined;
  #hasEnded = false;

  constructor(
    id: number,
    post: (request: FrameRequest, transfer: ArrayBuffer[]) => void,
    onAbortFailed: (error: unknown) => void,
  ) {
    this.#id = id;
    this.#post = post;
    this.#onAbortFailed = onAbortFailed;
  }

  /** Copies the bytes for the thread. Waits for the thread to catch up if necessary. */
  async write(bytes: Buffer): Promise<void> {
    for (let from = 0; from < bytes.length; ) {
      const copied = bytes.copy(this.#batch, this.#batchBytes, from);
      this.#batchBytes += copied;
      from += copied;
      if (this.#batchBytes === BATCH_BYTES) {
        this.#send();
        if (++this.#sentBatches % BATCHES_PER_COLLECTION === 0) collectYoungGarbage();
        this.#batch = Buffer.from(await this.#freeBuffer());
      }
    }
  }

  /** Ends the file. Resolves when its frames are durable. */
  async end(): Promise<WrittenFrames> {
    if (this.#batchBytes > 0) this.#send();
    this.#post({ type: 'end', id: this.#id }, []);
    while (this.#written === undefined) await this.#nextResponse();
    return this.#written;
  }

  /** Removes the stored data. Resolves even if that fails. Does nothing for an upload that has failed. */
  async abort(): Promise<void> {
    if (this.#hasEnded) return;
    this.#post({ type: 'abort', id: this.#id }, []);
    while (!this.#hasEnded)
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    if (this.#isFailed) this.#onAbortFailed(this.#failure);
  }

  /** Called by `FrameThread` only. */
  onResponse(response: FrameResponse): void {
    if (response.type === 'consumed') this.#free.push(response.buffer);
    else this.#hasEnded = true;
    if (response.type === 'ended') this.#written = response.written;
    if (response.type === 'failed') {
      this.#isFailed = true;
      this.#failure = new FramesFailed(response.error, response.code);
    }
    this.#wake?.();
  }

  #send(): void {
    const { buffer } = this.#batch;
    this.#post({ type: 'write', id: this.#id, buffer, length: this.#batchBytes }, [buffer]);
    this.#batchBytes = 0;
  }

  async #freeBuffer(): Promise<ArrayBuffer> {
    if (this.#bufferCount < BATCHES) {
      this.#bufferCount++;
      return new ArrayBuffer(BATCH_BYTES);
    }
    for (;;) {
      const buffer = this.#free.pop();
      if (buffer !== undefined) return buffer;
      await this.#nextResponse();
    }
  }

  async #nextResponse(): Promise<void> {
    if (!this.#isFailed)
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    if (this.#isFailed) throw this.#failure;
  }
}

/** An error of the frame thread, with the code of its cause, if any, such as `ENOSPC`. */
class FramesFailed extends Error {
  readonly code: string | undefined;

  constructor(cause: unknown, code: string | undefined) {
    super('the upload could not be stored', { cause });
    this.name = 'FramesFailed';
    this.code = code;
  }
}
