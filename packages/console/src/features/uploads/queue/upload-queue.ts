import { RequestError } from '../../../lib/api/api-error.ts';
import type { Ingestion } from '../../../lib/api/types.ts';
import { waitBeforeRetry } from '../../../lib/api/wait-before-retry.ts';
import { delay } from '../../../lib/delay.ts';
import { randomId } from '../../../lib/random-id.ts';
import { isInProgress, type Upload, type UploadState } from './upload.ts';

const MAX_CONCURRENT = 2;
/** The number of automatic retries, which is enough to survive a service restart. */
const MAX_RETRIES = 10;

/** A single upload attempt. */
interface Attempt {
  readonly file: File;
  readonly idempotencyKey: string;
  readonly signal: AbortSignal;
  readonly onProgress: (fraction: number) => void;
}

interface UploadQueueOptions {
  /** Returns why the file can't be uploaded, as a message for the user. Throws a `RequestError`. */
  readonly check: (file: File) => Promise<string | undefined>;
  /** Throws a `RequestError`. */
  readonly send: (attempt: Attempt) => Promise<Ingestion>;
  /** Called with the job after the file is stored. */
  readonly onAccepted: (ingestion: Ingestion) => void;
}

/** Uploads files in selection order, two at a time, and retries transient errors. */
export class UploadQueue {
  readonly #options: UploadQueueOptions;
  readonly #listeners = new Set<() => void>();
  readonly #running = new Map<string, AbortController>();
  /** Abort controllers that end the wait before the next attempt. */
  readonly #waits = new Map<string, AbortController>();
  #uploads: readonly Upload[] = [];

  constructor(options: UploadQueueOptions) {
    this.#options = options;
  }

  get uploads(): readonly Upload[] {
    return this.#uploads;
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  add(files: readonly File[]): void {
    const added = files.map((file): Upload => ({ id: randomId(), file, state: { phase: 'waiting' } }));
    this.#update([...this.#uploads, ...added]);
    this.#startNext();
  }

  /** Restarts a failed or canceled upload, or skips the wait before the next attempt. */
  retry(id: string): void {
    const wait = this.#waits.get(id);
    if (wait !== undefined) {
      wait.abort();
      return;
    }
    this.#set(id, { phase: 'waiting' });
    this.#startNext();
  }

  cancel(id: string): void {
    this.#running.get(id)?.abort();
    this.#set(id, { phase: 'canceled' });
  }

  /** Removes finished uploads from the list. */
  dismiss(): void {
    this.#update(this.#uploads.filter(isInProgress));
  }

  /** Cancels all uploads. */
  clear(): void {
    for (const running of this.#running.values()) running.abort();
    this.#update([]);
  }

  /** Updates an upload's job, or sets an error if the job's status is no longer available. */
  updateJob(
    ingestionId: string,
    change: { readonly ingestion: Ingestion } | { readonly error: RequestError },
  ): void {
    const upload = this.#uploads.find(
      ({ state }) => state.phase === 'accepted' && state.ingestion.id === ingestionId,
    );
    if (upload?.state.phase === 'accepted') this.#set(upload.id, { ...upload.state, ...change });
  }

  #startNext(): void {
    const waiting = this.#uploads.filter(
      ({ id, state }) => state.phase === 'waiting' && !this.#running.has(id),
    );
    for (const upload of waiting.slice(0, MAX_CONCURRENT - this.#running.size)) void this.#run(upload);
  }

  async #run({ id, file }: Upload): Promise<void> {
    const running = new AbortController();
    const { signal } = running;
    this.#running.set(id, running);
    try {
      for (let failures = 0; !signal.aborted; failures++) {
        const state = await this.#attempt(id, file, signal);
        if (signal.aborted) return;
        if (state.phase !== 'failed' || !state.error.isTransient || failures === MAX_RETRIES) {
          this.#set(id, state);
          if (state.phase === 'accepted') this.#options.onAccepted(state.ingestion);
          return;
        }
        await this.#backOff(id, state.error, failures, signal);
      }
    } finally {
      this.#running.delete(id);
      this.#startNext();
    }
  }

  /** Makes one attempt and returns the resulting state. */
  async #attempt(id: string, file: File, signal: AbortSignal): Promise<UploadState> {
    try {
      const reason = await this.#options.check(file);
      if (reason !== undefined) return { phase: 'rejected', reason };
      if (!signal.aborted) this.#set(id, { phase: 'sending', fraction: 0 });
      const onProgress = (fraction: number) => {
        if (!signal.aborted) this.#set(id, { phase: 'sending', fraction });
      };
      const ingestion = await this.#options.send({ file, idempotencyKey: id, signal, onProgress });
      return { phase: 'accepted', ingestion };
    } catch (error) {
      if (signal.aborted) return { phase: 'canceled' };
      if (error instanceof RequestError) return { phase: 'failed', error };
      throw error;
    }
  }

  async #backOff(id: string, error: RequestError, failures: number, signal: AbortSignal): Promise<void> {
    const retryAfterMs = waitBeforeRetry(failures, error);
    this.#set(id, { phase: 'retrying', error, nextAttemptAt: Date.now() + retryAfterMs });
    const wait = new AbortController();
    this.#waits.set(id, wait);
    await delay(retryAfterMs, AbortSignal.any([signal, wait.signal]));
    this.#waits.delete(id);
  }

  #set(id: string, state: UploadState): void {
    const upload = this.#uploads.find((each) => each.id === id);
    if (upload === undefined) return;
    this.#update(this.#uploads.map((each) => (each.id === id ? { ...upload, state } : each)));
  }

  #update(uploads: readonly Upload[]): void {
    this.#uploads = uploads;
    for (const listener of this.#listeners) listener();
  }
}
