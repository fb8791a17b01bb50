import type { Logger } from 'pino';
import { type Span, type Tracing, traced } from '../../observability/traces/tracing.ts';
import type {
  FrameResult,
  FrameStep,
  StoredFileFault,
  WorkerReport,
} from '../../observability/worker-report.ts';
import { StoredFileError } from '../frames/stored-frame.ts';
import type { FrameJob } from './claim.ts';
import { type EndedJob, totalOf } from './finish-frame.ts';

/** Destinations of a worker's logs, traces and metrics. */
export interface WorkerTelemetry {
  readonly log: Logger;
  readonly tracing: Tracing;
  readonly report: (report: WorkerReport) => void;
}

/** The result of a frame whose transaction was committed. */
export interface FrameEnd {
  readonly result: Exclude<FrameResult, 'failed'>;
  readonly records: number;
  readonly invalid: ReadonlyMap<string, number>;
  /** The job, if this was its last frame. */
  readonly endedJob: EndedJob | undefined;
}

/** Logs, traces and reports one frame attempt, from claim to end. Log lines contain the upload's ids. */
export class FrameWatch {
  readonly log: Logger;
  readonly #telemetry: WorkerTelemetry;
  readonly #span: Span;
  readonly #isRetry: boolean;
  readonly #from = performance.now();
  readonly #steps: [FrameStep, number][] = [];

  constructor(telemetry: WorkerTelemetry, frame: FrameJob) {
    const { requestId, tenantId, ingestionId, number, failures, interruptions, records } = frame;
    const previousAttempts = failures + interruptions;
    this.#telemetry = telemetry;
    this.#isRetry = previousAttempts > 0;
    this.log = telemetry.log.child({ requestId, tenantId, ingestionId, frame: number });
    this.#span = telemetry.tracing.start('process frame', {
      kind: 'consumer',
      traceparent: frame.traceparent ?? undefined,
      attributes: {
        'sluice.tenant.id': tenantId,
        'sluice.ingestion.id': ingestionId,
        'sluice.frame': number,
        'sluice.records': records,
        'sluice.previous_attempts': previousAttempts,
        // The old attribute name, kept until 0.2.
        'sluice.tries_before': previousAttempts,
      },
    });
  }

  async step<Result>(name: FrameStep, work: () => Promise<Result>): Promise<Result> {
    const from = performance.now();
    const result = await traced(this.#span, `${name} frame`, work);
    this.#steps.push([name, secondsSince(from)]);
    return result;
  }

  /** Call it after the commit, when the reported result is final. */
  ended({ result, records, invalid, endedJob }: FrameEnd): void {
    const seconds = this.#report(result, records, [...invalid], endedJob?.status);
    this.#span.set({ 'sluice.invalid': totalOf(invalid) });
    this.#span.end(result === 'given_up' ? new Error('all attempts at the frame failed') : undefined);
    if (result === 'given_up')
      this.log.error({ records }, 'all attempts at a frame failed; its records are counted as invalid');
    else this.log.debug({ records, invalid: totalOf(invalid), seconds }, 'frame processed');
    if (endedJob !== undefined) this.log.info({ ...endedJob }, 'job ended');
  }

  failed(error: unknown): void {
    const fileFault = error instanceof StoredFileError ? error.code : undefined;
    this.#report('failed', 0, [], undefined, fileFault);
    this.#span.end(error);
  }

  #report(
    result: FrameResult,
    records: number,
    invalid: readonly (readonly [string, number])[],
    jobStatus: string | undefined,
    fileFault?: StoredFileFault,
  ): number {
    const seconds = secondsSince(this.#from);
    this.#telemetry.report({
      type: 'frame',
      result,
      isRetry: this.#isRetry,
      seconds,
      steps: this.#steps,
      records,
      invalid,
      fileFault,
      jobStatus,
    });
    return seconds;
  }
}

function secondsSince(from: number): number {
  return Math.round(performance.now() - from) / 1000;
}
