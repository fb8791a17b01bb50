import type {
  DryRunReport,
  Ingestion,
  IngestionClient,
  IngestionErrors,
  RetryOptions,
  Upload,
  UploadOptions,
} from '../client/index.ts';
import type { Log } from '../terminal/log.ts';
import { startProgress } from '../terminal/progress.ts';
import type { Screen } from '../terminal/screen.ts';
import { evaluateGate, type GateResult, pushFailed, pushSkipped } from './gate.ts';
import type { GateSeverity } from './gate-severity.ts';
import { createMinorGarbageCollector } from './minor-garbage-collection.ts';
import { isSkipped, type Problem, problemOf, type Step } from './problem.ts';

/** The maximum number of job errors to show. */
const FIRST_ERRORS = 5;

export interface PushRequest extends UploadOptions {
  readonly path: string;
  /** The maximum time in seconds to wait for the job; 0 means no limit, and `undefined` means no wait. */
  readonly waitSeconds: number | undefined;
  /** The lowest severity for which the gate fails; `undefined` without a gate. */
  readonly failOn: GateSeverity | undefined;
}

export interface RetryRequest extends RetryOptions, Pick<PushRequest, 'waitSeconds'> {
  /** The ID of the original job. */
  readonly id: string;
}

export interface PushTools {
  readonly client: IngestionClient;
  readonly screen: Screen;
  readonly log: Log;
}

/** The outcome for one file, as far as it is known, and the problem that ended the push, if any. */
export interface PushOutcome {
  readonly upload?: Upload;
  /** The last known state of the job. */
  readonly ingestion?: Ingestion;
  /** The errors of a failed job. */
  readonly errors?: IngestionErrors & { readonly url: string };
  /** The warnings of an ended job that concern what the request asks for. */
  readonly warnings?: readonly RequestWarning[];
  /** The report of an ended dry run. */
  readonly dryRun?: DryRunReport;
  readonly problem?: Problem;
  /** The result of the gate, if there is one. */
  readonly gate?: GateResult;
}

interface RequestWarning {
  readonly code: string;
  /** A sentence. */
  readonly detail: string;
}

/** The outcome for a file that could not be pushed. */
export function failedPush(problem: Problem, failOn: GateSeverity | undefined): PushOutcome {
  if (isSkipped(problem)) return skippedPush(problem, failOn);
  return { problem, ...(failOn !== undefined && { gate: pushFailed(failOn) }) };
}

/** The outcome for a file that was not sent because of this problem. */
export function skippedPush(problem: Problem, failOn: GateSeverity | undefined): PushOutcome {
  return { problem, ...(failOn !== undefined && { gate: pushSkipped(failOn) }) };
}

/** The step that the problem of an outcome ended. */
export function failedStep({ upload, ingestion }: PushOutcome, action: 'push' | 'retry' = 'push'): Step {
  if (upload === undefined || ingestion === undefined) return action;
  return ingestion.status === 'completed' || ingestion.status === 'failed' ? 'result' : 'wait';
}

/**
 * The exit code after these outcomes: 4 if a gate failed, 1 after a problem or without the result of a gate, 3 if a job
 * failed, and 0 otherwise.
 */
export function exitCodeOf(outcomes: readonly PushOutcome[]): number {
  if (outcomes.some(({ gate }) => gate?.result === 'failed')) return 4;
  if (outcomes.some(({ problem, gate }) => problem !== undefined || gate?.result === 'not_evaluated'))
    return 1;
  return outcomes.some(({ ingestion }) => ingestion?.status === 'failed') ? 3 : 0;
}

/**
 * Pushes one file and optionally waits for its job, with a progress bar on a terminal. Does not throw: a problem is an
 * outcome.
 */
export async function pushFile(
  tools: PushTools,
  { path, waitSeconds, failOn, ...options }: PushRequest,
): Promise<PushOutcome> {
  const { client, screen } = tools;
  const outcome = await followJob(tools, waitSeconds, () =>
    uploadWithProgress(client, screen, path, options),
  );
  if (failOn === undefined) return outcome;
  return { ...outcome, gate: await evaluateGate(tools, outcome, failOn) };
}

/** Like `pushFile`, for the stored file of an ended job. */
export async function retryJob(
  tools: PushTools,
  { id, waitSeconds, ...options }: RetryRequest,
): Promise<PushOutcome> {
  return await followJob(tools, waitSeconds, () => tools.client.retry(id, options));
}

async function followJob(
  { client, screen, log }: PushTools,
  waitSeconds: number | undefined,
  create: () => Promise<Upload>,
): Promise<PushOutcome> {
  let outcome: PushOutcome = {};
  try {
    const upload = await create();
    outcome = { upload, ingestion: upload.ingestion };
    if (waitSeconds === undefined) return outcome;
    const ingestion = await waitWithProgress(client, screen, upload.ingestion, waitSeconds);
    outcome = { upload, ingestion, warnings: await readRequestWarnings(client, log, ingestion) };
    if (upload.dryRun) outcome = { ...outcome, dryRun: await client.dryRun(ingestion.id) };
    if (ingestion.status !== 'failed') return outcome;
    const errors = await client.errors(ingestion.id, { limit: FIRST_ERRORS });
    const url = `${client.baseUrl}/api/v1/ingestions/${ingestion.id}/errors`;
    return { ...outcome, errors: { ...errors, url } };
  } catch (error) {
    return { ...outcome, problem: problemOf(error, log) };
  }
}

const COVERAGE_NOT_APPLIED = 'coverage_not_applied';

/** Warns that a job did not apply the coverage of its upload. The result of the job is complete without the warning. */
async function readRequestWarnings(
  client: IngestionClient,
  log: Log,
  { id, coverage, warnings: count }: Ingestion,
): Promise<readonly RequestWarning[]> {
  if (!count || coverage === null || coverage === 'partial') return [];
  try {
    const { warnings, counts } = await client.warnings(id, { code: COVERAGE_NOT_APPLIED, limit: 1 });
    if (warnings.length > 0) return warnings.map(({ code, detail }) => ({ code, detail }));
    // The service stores a limited number of warnings, but counts all.
    if (!counts[COVERAGE_NOT_APPLIED]) return [];
    return [{ code: COVERAGE_NOT_APPLIED, detail: 'No findings were resolved.' }];
  } catch (error) {
    log.warn(`the warnings of job ${id} could not be read: ${problemOf(error, log).message}`);
    return [];
  }
}

async function uploadWithProgress(
  client: IngestionClient,
  screen: Screen,
  path: string,
  options: UploadOptions,
): Promise<Upload> {
  let sent: { readonly bytes: number; readonly total: number } | undefined;
  const progress = startProgress(screen, () => ({
    done: sent?.bytes ?? 0,
    total: sent?.total ?? 1,
    text:
      sent === undefined ? `reading ${path}` : `${megabytes(sent.bytes)} of ${megabytes(sent.total)} MB sent`,
  }));
  const collectMinorGarbage = createMinorGarbageCollector();
  try {
    return await client.upload(path, {
      ...options,
      onProgress: (now) => {
        sent = now;
        collectMinorGarbage(now.bytes);
      },
    });
  } finally {
    progress.end();
  }
}

async function waitWithProgress(
  client: IngestionClient,
  screen: Screen,
  accepted: Ingestion,
  timeoutSeconds: number,
): Promise<Ingestion> {
  let { summary, status } = accepted;
  const progress = startProgress(screen, () => ({
    done: summary?.processed ?? 0,
    total: summary?.total ?? 0,
    text: summary === null ? status : `${status}: ${summary.processed} of ${summary.total} records`,
  }));
  try {
    return await client.wait(accepted.id, {
      timeoutSeconds,
      onProgress: (now) => {
        ({ summary, status } = now);
      },
    });
  } finally {
    progress.end();
  }
}

function megabytes(bytes: number): string {
  return (bytes / 1e6).toFixed(1);
}
