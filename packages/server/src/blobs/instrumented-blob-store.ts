import { codeOf } from '../lib/errors.ts';
import {
  BLOB_TOO_SHORT,
  type BlobStore,
  type BlobWriter,
  isBlobStoreFull,
  isBlobStoreUnavailable,
  type StoredBlob,
  type UnfinishedBlob,
} from './blob-store.ts';

/** `write` covers a whole blob, from creation to commit; `delete` includes the removal of an aborted blob. */
type BlobOperation = 'write' | 'read' | 'delete' | 'list';

/** Why an operation failed. `unavailable` and `full` affect the whole store, `missing` and `damaged` a single blob. */
type BlobFault = 'unavailable' | 'full' | 'missing' | 'damaged' | 'other';

/** A completed or failed operation. */
export interface BlobReport {
  readonly type: 'blob';
  readonly operation: BlobOperation;
  /** Time spent in the store, excluding the time between the pieces of a blob. */
  readonly seconds: number;
  readonly fault: BlobFault | undefined;
}

type OnReport = (report: BlobReport) => void;

/** Reports every operation on a blob store. An operation that the caller aborts does not count as failed. */
export class InstrumentedBlobStore implements BlobStore {
  readonly #store: BlobStore;
  readonly #onReport: OnReport;

  constructor(store: BlobStore, onReport: OnReport) {
    this.#store = store;
    this.#onReport = onReport;
  }

  assertUsable(): Promise<void> {
    return this.#store.assertUsable();
  }

  prepare(): Promise<void> {
    return this.#store.prepare();
  }

  async create(key: string): Promise<BlobWriter> {
    const write = new Stopwatch('write', this.#onReport);
    const writer = await write.run(() => this.#store.create(key));
    return new InstrumentedBlobWriter(writer, write, this.#onReport);
  }

  read(key: string, offset: number, length: number): Promise<Buffer> {
    return once('read', this.#onReport, () => this.#store.read(key, offset, length));
  }

  delete(key: string, signal?: AbortSignal): Promise<void> {
    return once('delete', this.#onReport, () => this.#store.delete(key, signal), signal);
  }

  list(signal?: AbortSignal): AsyncIterable<StoredBlob> {
    return this.#listed(this.#store.list(signal), signal);
  }

  unfinished(signal?: AbortSignal): AsyncIterable<UnfinishedBlob> {
    return this.#listed(this.#store.unfinished(signal), signal);
  }

  /** Reports a list operation once. Its duration excludes the time between the elements. */
  async *#listed<Element>(list: AsyncIterable<Element>, signal: AbortSignal | undefined) {
    const watch = new Stopwatch('list', this.#onReport, signal);
    const elements = list[Symbol.asyncIterator]();
    try {
      for (;;) {
        const next = await watch.run(() => elements.next());
        if (next.done === true) break;
        yield next.value;
      }
    } finally {
      watch.end();
      await elements.return?.();
    }
  }
}

class InstrumentedBlobWriter implements BlobWriter {
  readonly #writer: BlobWriter;
  readonly #write: Stopwatch;
  readonly #onReport: OnReport;

  constructor(writer: BlobWriter, write: Stopwatch, onReport: OnReport) {
    this.#writer = writer;
    this.#write = write;
    this.#onReport = onReport;
  }

  append(bytes: Uint8Array): Promise<void> {
    return this.#write.run(() => this.#writer.append(bytes));
  }

  async commit(): Promise<void> {
    await this.#write.run(() => this.#writer.commit());
    this.#write.end();
  }

  abort(): Promise<void> {
    return once('delete', this.#onReport, () => this.#writer.abort());
  }
}

/** Measures the total time of an operation's steps. The first failure ends the operation. */
class Stopwatch {
  readonly #operation: BlobOperation;
  readonly #onReport: OnReport;
  readonly #signal: AbortSignal | undefined;
  #seconds = 0;
  #hasEnded = false;

  constructor(operation: BlobOperation, onReport: OnReport, signal?: AbortSignal) {
    this.#operation = operation;
    this.#onReport = onReport;
    this.#signal = signal;
  }

  async run<Result>(step: () => Promise<Result>): Promise<Result> {
    const start = performance.now();
    const stop = () => {
      this.#seconds += (performance.now() - start) / 1000;
    };
    try {
      const result = await step();
      stop();
      return result;
    } catch (error) {
      stop();
      this.end(this.#signal?.aborted === true ? undefined : faultOf(error));
      throw error;
    }
  }

  /** Does nothing after the first call. */
  end(fault?: BlobFault): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    this.#onReport({ type: 'blob', operation: this.#operation, seconds: this.#seconds, fault });
  }
}

async function once<Result>(
  operation: BlobOperation,
  onReport: OnReport,
  step: () => Promise<Result>,
  signal?: AbortSignal,
): Promise<Result> {
  const watch = new Stopwatch(operation, onReport, signal);
  const result = await watch.run(step);
  watch.end();
  return result;
}

function faultOf(error: unknown): BlobFault {
  if (isBlobStoreUnavailable(error)) return 'unavailable';
  if (isBlobStoreFull(error)) return 'full';
  const code = codeOf(error);
  if (code === 'ENOENT') return 'missing';
  return code === BLOB_TOO_SHORT ? 'damaged' : 'other';
}
