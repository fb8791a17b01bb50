import { RequestError } from '../../../lib/api/api-error.ts';
import type { Ingestion } from '../../../lib/api/types.ts';
import { waitBeforeRetry } from '../../../lib/api/wait-before-retry.ts';
import { delay } from '../../../lib/delay.ts';
import { randomId } from '../../../lib/random-id.ts';
import { isInProgress, type Upload, type UploadState } from './upload.ts';

const MAX_CONCURRENT = 2;
/** Tries that follow by themselves, as over a restart of the service. */
const RETRIES = 10;

/** One try of an upload. */
export interface Attempt {
  readonly file: File;
  readonly idempotencyKey: string;
  readonly signal: AbortSignal;
  readonly onProgress: (share: number) => void;
}

interface UploadQueueOptions {
  /** Why the file need not be sent, for people. Throws a `RequestError`. */
  readonly check: (file: File) => Promise<string | undefined>;
  /** Throws a `RequestError`. */
  readonly send: (attempt: Attempt) => Promise<Ingestion>;
  /** Called with the job of a file that is stored. */
  readonly onAccepted: (ingestion: Ingestion) => void;
}

/** The uploads of this window: two at a time, repeated where that may help, in the order in which they were chosen. */
export class UploadQueue {
  readonly #options: UploadQueueOptions;
  readonly #listeners = new Set<() => void>();
  readonly #running = new Map<string, AbortController>();
  /** Ends the pause before the next try. */
  readonly #wakes = new Map<string, AbortController>();
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
    this.#become([...this.#uploads, ...added]);
    this.#next();
  }

  /** Tries again what has failed or was cancelled, and at once what waits for its next try. */
  retry(id: string): void {
    const wake = this.#wakes.get(id);
    if (wake !== undefined) {
      wake.abort();
      return;
    }
    this.#set(id, { phase: 'waiting' });
    this.#next();
  }

  cancel(id: string): void {
    this.#running.get(id)?.abort();
    this.#set(id, { phase: 'cancelled' });
  }

  /** Takes all that is over away from the list. */
  dismiss(): void {
    this.#become(this.#uploads.filter(isInProgress));
  }

  /** Ends everything. */
  clear(): void {
    for (const running of this.#running.values()) running.abort();
    this.#become([]);
  }

  /** What has become of a job, or that it cannot be seen any more. */
  follow(
    ingestionId: string,
    change: { readonly ingestion: Ingestion } | { readonly error: RequestError },
  ): void {
    const upload = this.#uploads.find(
      ({ state }) => state.phase === 'taken' && state.ingestion.id === ingestionId,
    );
    if (upload?.state.phase === 'taken') this.#set(upload.id, { ...upload.state, ...change });
  }

  #next(): void {
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
        if (state.phase !== 'failed' || !state.error.isTransient || failures === RETRIES) {
          this.#set(id, state);
          if (state.phase === 'taken') this.#options.onAccepted(state.ingestion);
          return;
        }
        await this.#backOff(id, state.error, failures, signal);
      }
    } finally {
      this.#running.delete(id);
      this.#next();
    }
  }

  /** What one try has led to. */
  async #attempt(id: string, file: File, signal: AbortSignal): Promise<UploadState> {
    try {
      const reason = await this.#options.check(file);
      if (reason !== undefined) return { phase: 'unfit', reason };
      if (!signal.aborted) this.#set(id, { phase: 'sending', share: 0 });
      const onProgress = (share: number) => {
        if (!signal.aborted) this.#set(id, { phase: 'sending', share });
      };
      const ingestion = await this.#options.send({ file, idempotencyKey: id, signal, onProgress });
      return { phase: 'taken', ingestion };
    } catch (error) {
      if (signal.aborted) return { phase: 'cancelled' };
      if (error instanceof RequestError) return { phase: 'failed', error };
      throw error;
    }
  }

  async #backOff(id: string, error: RequestError, failures: number, signal: AbortSignal): Promise<void> {
    const retryAfterMs = waitBeforeRetry(failures, error);
    this.#set(id, { phase: 'retrying', error, nextAttemptAt: Date.now() + retryAfterMs });
    const wake = new AbortController();
    this.#wakes.set(id, wake);
    await delay(retryAfterMs, AbortSignal.any([signal, wake.signal]));
    this.#wakes.delete(id);
  }

  #set(id: string, state: UploadState): void {
    const upload = this.#uploads.find((each) => each.id === id);
    if (upload === undefined) return;
    this.#become(this.#uploads.map((each) => (each.id === id ? { ...upload, state } : each)));
  }

  #become(uploads: readonly Upload[]): void {
    this.#uploads = uploads;
    for (const listener of this.#listeners) listener();
  }
}
