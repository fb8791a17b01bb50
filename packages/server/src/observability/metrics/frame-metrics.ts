import { Counter, Histogram, type Registry } from 'prom-client';
import type { FrameReport } from '../worker-report.ts';

const FRAME_BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/** Metrics for the workers of this process. */
export class FrameMetrics {
  readonly #frames: Counter<'result'>;
  readonly #retries: Counter;
  readonly #records: Counter;
  readonly #recordErrors: Counter<'code'>;
  readonly #fileFaults: Counter<'code'>;
  readonly #jobs: Counter<'status'>;
  readonly #seconds: Histogram<'result'>;
  readonly #stepSeconds: Histogram<'step'>;

  constructor(registry: Registry) {
    const registers = [registry];
    const buckets = FRAME_BUCKETS;
    this.#frames = new Counter({
      name: 'sluice_frames_total',
      help: 'Frame attempts, by result: processed, failed (will be retried) or given_up (its records are invalid)',
      labelNames: ['result'],
      registers,
    });
    // Exported before the first event, which `increase` would otherwise miss.
    for (const result of ['processed', 'failed', 'given_up']) this.#frames.inc({ result }, 0);
    this.#retries = new Counter({
      name: 'sluice_frame_retries_total',
      help: 'Frame attempts that follow an incomplete attempt by any process',
      registers,
    });
    this.#records = new Counter({
      name: 'sluice_records_processed_total',
      help: 'Records of completed frames, valid or not',
      registers,
    });
    this.#recordErrors = new Counter({
      name: 'sluice_record_errors_total',
      help: 'Rejected records, by error code',
      labelNames: ['code'],
      registers,
    });
    this.#fileFaults = new Counter({
      name: 'sluice_stored_file_faults_total',
      help: 'Frame attempts that could not read the stored file, by code: file_damaged or file_missing',
      labelNames: ['code'],
      registers,
    });
    for (const code of ['file_damaged', 'file_missing']) this.#fileFaults.inc({ code }, 0);
    this.#jobs = new Counter({
      name: 'sluice_jobs_ended_total',
      help: 'Jobs whose last frame was completed by this process, by status',
      labelNames: ['status'],
      registers,
    });
    this.#seconds = new Histogram({
      name: 'sluice_frame_duration_seconds',
      help: 'Duration of a frame attempt, from claim to commit',
      labelNames: ['result'],
      buckets,
      registers,
    });
    this.#stepSeconds = new Histogram({
      name: 'sluice_frame_step_duration_seconds',
      help: 'Duration of the steps of a frame attempt: read (from the blob store), parse, merge (into the findings), finish (counts)',
      labelNames: ['step'],
      buckets,
      registers,
    });
  }

  add({ result, isRetry, seconds, steps, records, invalid, fileFault, jobStatus }: FrameReport): void {
    this.#frames.inc({ result });
    this.#seconds.observe({ result }, seconds);
    if (isRetry) this.#retries.inc();
    this.#records.inc(records);
    for (const [code, count] of invalid) this.#recordErrors.inc({ code }, count);
    for (const [step, stepSeconds] of steps) this.#stepSeconds.observe({ step }, stepSeconds);
    if (fileFault !== undefined) this.#fileFaults.inc({ code: fileFault });
    if (jobStatus !== undefined) this.addJob(jobStatus);
  }

  /** Counts a job that has ended with this status. */
  addJob(status: string): void {
    this.#jobs.inc({ status });
  }
}
