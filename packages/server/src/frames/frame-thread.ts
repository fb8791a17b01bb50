import { Worker } from 'node:worker_threads';
import type { BlobReport } from '../blob-store/instrumented-blob-store.ts';
import { collectYoungGarbage } from '../reclaim-memory.ts';
import { siblingModule } from '../sibling-module.ts';
import type { FrameMessage, FrameRequest, FrameResponse, FrameThreadSettings } from './frame-messages.ts';
import type { WrittenFrames } from './frame-writer.ts';

/** Bytes that cross into the thread at once. */
const BATCH_BYTES = 2 ** 19;
/** Batches of one upload that are under way: one is compressed, one is split, one is filled. */
const BATCHES = 3;
/** After so many the chunks that they were copied from are collected: 4 MiB. */
const BATCHES_PER_COLLECTION = 8;
/** The thread makes little garbage; V8's own choice would let it grow all the same. */
const YOUNG_GENERATION_MIB = 6;

/**
 * Splits, compresses and stores uploads in a thread of its own, so that the thread that answers requests does
 * none of it. One thread serves all uploads of the process; one that dies fails what it worked on and is
 * replaced with the next upload.
 */
export class FrameThread {
  readonly #settings: FrameThreadSettings;
  readonly #onLeft: (error: unknown) => void;
  readonly #onBlob: (report: BlobReport) => void;
  readonly #sinks = new Map<number, FrameSink>();
  #thread: Worker | undefined;
  #lastId = 0;

  /**
   * `onLeft` is called with the error if the blobs of an aborted upload could not be removed, `onBlob` after each operation
   * on the blob store.
   */
  constructor(
    settings: FrameThreadSettings,
    onLeft: (error: unknown) => void,
    onBlob: (report: BlobReport) => void,
  ) {
    this.#settings = settings;
    this.#onLeft = onLeft;
    this.#onBlob = onBlob;
    // Now, so that the first upload need not wait for it.
    this.#start();
  }

  /** Starts a blob of frames under a key that does not exist yet. */
  open(key: string): FrameSink {
    const thread = this.#thread ?? this.#start();
    const id = ++this.#lastId;
    const post = (request: FrameRequest, transfer: ArrayBuffer[]) => thread.postMessage(request, transfer);
    const sink = new FrameSink(id, post, this.#onLeft);
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
      this.#sinks.get(message.id)?.answered(message);
      if (message.type !== 'taken') this.#sinks.delete(message.id);
    });
    const fail = (error: unknown) => {
      if (this.#thread !== thread) return;
      this.#thread = undefined;
      for (const [id, sink] of this.#sinks) sink.answered({ type: 'failed', id, error });
      this.#sinks.clear();
    };
    thread.on('error', fail);
    thread.on('exit', (code) => fail(new Error(`the frame thread ended with code ${code}`)));
    this.#thread = thread;
    return thread;
  }
}

/** What the thread could not do for an upload, with the code of the reason where that had one: `ENOSPC`, say. */
export class FramesFailed extends Error {
  readonly code: string | undefined;

  constructor(cause: unknown, code: string | undefined) {
    super('the upload could not be stored', { cause });
    this.name = 'FramesFailed';
    this.code = code;
  }
}

/** One upload on its way into frames. Everything rejects once the thread has failed it. */
export class FrameSink {
  readonly #id: number;
  readonly #post: (request: FrameRequest, transfer: ArrayBuffer[]) => void;
  readonly #onLeft: (error: unknown) => void;
  #batch: Buffer<ArrayBuffer> = Buffer.from(new ArrayBuffer(BATCH_BYTES));
  #batchBytes = 0;
  #sentBatches = 0;
  #made = 1;
  #free: ArrayBuffer[] = [];
  #isFailed = false;
  #failure: unknown;
  /** Wakes whoever waits for the next answer. */
  #wake: (() => void) | undefined;
  #written: WrittenFrames | undefined;
  #isOver = false;

  constructor(
    id: number,
    post: (request: FrameRequest, transfer: ArrayBuffer[]) => void,
    onLeft: (error: unknown) => void,
  ) {
    this.#id = id;
    this.#post = post;
    this.#onLeft = onLeft;
  }

  /** Takes the bytes over; waits while the thread is behind. */
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

  /** Says that the file is over; resolves when its frames are durable. */
  async end(): Promise<WrittenFrames> {
    if (this.#batchBytes > 0) this.#send();
    this.#post({ type: 'end', id: this.#id }, []);
    while (this.#written === undefined) await this.#nextAnswer();
    return this.#written;
  }

  /** Removes what was stored; resolves also where that fails. Does nothing more to an upload that has failed. */
  async abort(): Promise<void> {
    if (this.#isOver) return;
    this.#post({ type: 'abort', id: this.#id }, []);
    while (!this.#isOver)
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    if (this.#isFailed) this.#onLeft(this.#failure);
  }

  /** For the thread's other side only. */
  answered(answer: FrameResponse): void {
    if (answer.type === 'taken') this.#free.push(answer.buffer);
    else this.#isOver = true;
    if (answer.type === 'ended') this.#written = answer.written;
    if (answer.type === 'failed') {
      this.#isFailed = true;
      this.#failure = new FramesFailed(answer.error, answer.code);
    }
    this.#wake?.();
  }

  #send(): void {
    const { buffer } = this.#batch;
    this.#post({ type: 'write', id: this.#id, buffer, length: this.#batchBytes }, [buffer]);
    this.#batchBytes = 0;
  }

  async #freeBuffer(): Promise<ArrayBuffer> {
    if (this.#made < BATCHES) {
      this.#made++;
      return new ArrayBuffer(BATCH_BYTES);
    }
    for (;;) {
      const buffer = this.#free.pop();
      if (buffer !== undefined) return buffer;
      await this.#nextAnswer();
    }
  }

  async #nextAnswer(): Promise<void> {
    if (!this.#isFailed)
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    if (this.#isFailed) throw this.#failure;
  }
}
