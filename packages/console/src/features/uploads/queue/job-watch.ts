import { RequestError } from '../../../lib/api/api-error.ts';
import type { PolledIngestion } from '../../../lib/api/get-ingestion.ts';
import type { Ingestion } from '../../../lib/api/types.ts';
import { waitBeforeRetry } from '../../../lib/api/wait-before-retry.ts';
import { delay } from '../../../lib/delay.ts';

/** The number of jobs to poll at a time, which limits the request rate regardless of the number of jobs. */
const JOBS_PER_ROUND = 3;
const ROUND_INTERVAL_MS = 1000;

interface JobWatchOptions {
  readonly get: (id: string, signal: AbortSignal) => Promise<PolledIngestion>;
  readonly onChange: (ingestion: Ingestion) => void;
  /** Called if a job's status is no longer available. */
  readonly onLost: (id: string, error: RequestError) => void;
}

/** Polls jobs round-robin until they end. */
export class JobWatch {
  readonly #options: JobWatchOptions;
  /** Consecutive failures by job ID. The job that was polled least recently comes first. */
  readonly #jobs = new Map<string, number>();
  #abort: AbortController | undefined;

  constructor(options: JobWatchOptions) {
    this.#options = options;
  }

  add(id: string): void {
    this.#jobs.set(id, 0);
    if (this.#abort !== undefined) return;
    this.#abort = new AbortController();
    void this.#watch(this.#abort.signal);
  }

  stop(): void {
    this.#jobs.clear();
    this.#abort?.abort();
    this.#abort = undefined;
  }

  async #watch(signal: AbortSignal): Promise<void> {
    while (this.#jobs.size > 0 && !signal.aborted) {
      const round = [...this.#jobs].slice(0, JOBS_PER_ROUND);
      const waits = await Promise.all(round.map(([id, failures]) => this.#poll(id, failures, signal)));
      await delay(Math.max(...waits), signal);
    }
    if (!signal.aborted) this.#abort = undefined;
  }

  /** Returns the delay before the next poll in milliseconds. */
  async #poll(id: string, failures: number, signal: AbortSignal): Promise<number> {
    try {
      const { ingestion, pollMs } = await this.#options.get(id, signal);
      this.#jobs.delete(id);
      if (pollMs !== undefined) this.#jobs.set(id, 0);
      this.#options.onChange(ingestion);
      return pollMs ?? ROUND_INTERVAL_MS;
    } catch (error) {
      if (signal.aborted) return 0;
      if (!(error instanceof RequestError)) throw error;
      this.#jobs.delete(id);
      if (error.isTransient) this.#jobs.set(id, failures + 1);
      else this.#options.onLost(id, error);
      return waitBeforeRetry(failures, error);
    }
  }
}
