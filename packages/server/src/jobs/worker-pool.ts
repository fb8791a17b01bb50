import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import type { Logger } from 'pino';
import type { BlobStoreSettings } from '../blob-store/blob-store-settings.ts';
import type { Limits } from '../config.ts';
import type { Database } from '../db/connect.ts';
import { siblingModule } from '../sibling-module.ts';
import type { WorkerReport } from './worker-report.ts';

export interface WorkerSettings {
  readonly number: number;
  readonly database: Database;
  /** PostgreSQL runs here and for this service alone. */
  readonly embedded: boolean;
  readonly blobStore: BlobStoreSettings;
  readonly limits: Limits;
  readonly logLevel: string;
  /** Where traces are sent; `undefined`: nothing is traced. */
  readonly tracesUrl: string | undefined;
}

/** What the threads have done, for the metrics. */
export type WorkReport = Exclude<WorkerReport, { readonly type: 'connected' }>;

const RESTART_MS = 500;
/** How long a start waits for its threads, in milliseconds; readiness tells of those that come later. */
const START_MS = 5000;
/** How long frames may take to finish after the stop, in milliseconds. */
const FINISH_MS = 5000;
/** Measured: V8's own choice takes 120 MiB more for garbage that lives for one record, and is no faster; 12 is 5 % slower. */
const YOUNG_GENERATION_MIB = 24;

/** Runs workers in threads of their own, so that the API stays responsive, and replaces one that dies. */
export class WorkerPool {
  readonly #settings: Omit<WorkerSettings, 'number'>;
  readonly #log: Logger;
  readonly #onReport: (report: WorkReport) => void;
  readonly #threads = new Map<number, Worker>();
  readonly #connected = new Set<number>();
  readonly #count: number;
  readonly #allConnected = Promise.withResolvers<void>();
  readonly #ended: Promise<void>[] = [];
  #stopping = false;

  constructor(
    count: number,
    settings: Omit<WorkerSettings, 'number'>,
    log: Logger,
    onReport: (report: WorkReport) => void,
  ) {
    this.#count = count;
    this.#onReport = onReport;
    this.#settings = settings;
    this.#log = log;
    for (let number = 1; number <= count; number++) this.#ended.push(this.#keepRunning(number));
  }

  /** Threads that live and have their database connections. */
  get ready(): number {
    return this.#connected.size;
  }

  /** Resolves when all threads were ready for the first time, or after a while without. */
  async started(): Promise<void> {
    await Promise.race([this.#allConnected.promise, sleep(START_MS, undefined, { ref: false })]);
  }

  /** Lets every worker finish its frame; one that takes too long goes back to the queue with its connection. */
  async stop(): Promise<void> {
    this.#stopping = true;
    for (const thread of this.#threads.values()) thread.postMessage('stop');
    const cutOff = setTimeout(() => {
      for (const [worker, thread] of this.#threads) {
        this.#log.warn({ worker }, 'a worker thread did not finish in time: its frames go back to the queue');
        void thread.terminate();
      }
    }, FINISH_MS);
    await Promise.all(this.#ended);
    clearTimeout(cutOff);
  }

  async #keepRunning(number: number): Promise<void> {
    while (!this.#stopping) {
      const thread = new Worker(siblingModule(import.meta.url, 'worker-thread'), {
        name: 'sluice-worker',
        workerData: { ...this.#settings, number } satisfies WorkerSettings,
        resourceLimits: { maxYoungGenerationSizeMb: YOUNG_GENERATION_MIB },
      });
      this.#threads.set(number, thread);
      const code = await new Promise<number>((resolve) => {
        thread.on('error', (error) =>
          this.#log.error({ err: error, worker: number }, 'a worker thread failed'),
        );
        thread.on('exit', resolve);
        thread.on('message', (report: WorkerReport) => this.#heard(number, report));
      });
      this.#threads.delete(number);
      this.#connected.delete(number);
      if (this.#stopping) return;
      this.#log.error({ worker: number, code }, 'a worker thread ended and is started again');
      await new Promise((resolve) => setTimeout(resolve, RESTART_MS));
    }
  }

  #heard(number: number, report: WorkerReport): void {
    if (report.type !== 'connected') this.#onReport(report);
    else if (report.isConnected) this.#connected.add(number);
    else this.#connected.delete(number);
    if (this.#connected.size === this.#count) this.#allConnected.resolve();
  }
}
