import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import type { Coverage, IngestionClient } from '../client/index.ts';
import { errorCode, ScannerError } from '../lib/errors.ts';
import type { Paint } from '../terminal/formatting.ts';
import type { Screen } from '../terminal/screen.ts';
import type { GateSeverity } from './gate-severity.ts';
import { printGate } from './gate-text.ts';
import { makeTemporaryFolder } from './input-files.ts';
import type { Labels } from './labels.ts';
import { type ClientContext, type OpenedClient, openClient } from './open-client.ts';
import { outcomeText } from './outcome.ts';
import { type Problem, problemLine, problemOf, type Step } from './problem.ts';
import { pushCommand } from './push-command.ts';
import { failedPush, failedStep, type PushOutcome, type PushRequest, pushFile } from './push-file.ts';

export interface ScanPushOptions extends ClientContext {
  /** The maximum time in seconds to wait for the job; 0 means no limit, and `undefined` means no wait. */
  readonly waitSeconds: number | undefined;
  readonly labels: Labels;
  /** The lowest severity for which the gate fails; `undefined` without a gate. */
  readonly failOn: GateSeverity | undefined;
  readonly screen: Screen;
  readonly paint: Paint;
  /** Stdout is reserved for a JSON document, so the outcome is not printed. */
  readonly isJson: boolean;
}

export interface ScanResults {
  readonly findings: number;
  /** The coverage of the OCSF file. `reason` explains a partial coverage, as a clause. */
  readonly coverage: { readonly coverage: Coverage; readonly reason: string | null };
  /** The OCSF file of the scan; `undefined` if OCSF was not requested. */
  readonly ocsfFile: string | undefined;
  /** Writes the OCSF file of the scan into a folder, and resolves with its path. */
  readonly writeOcsf: (folder: string) => Promise<string>;
  /** The folder of the other output files. */
  readonly outputFolder: string;
}

/** An OCSF file that was written. */
interface OcsfFile extends Pick<ScanResults, 'coverage'> {
  readonly path: string;
}

/** An OCSF file whose path is `undefined` if it could not be written. */
interface PlannedFile extends Pick<ScanResults, 'coverage'> {
  readonly path: string | undefined;
}

/** The push of a scan. `file` is the path of the OCSF results if they were kept. */
export interface ScanPush {
  readonly file: string | undefined;
  readonly outcome: PushOutcome;
}

/**
 * Prepares the push after a scan (docs/specification.md, "Reference client"). Reports the problems that can be detected
 * before the scan. The returned function pushes the results and never throws, because a failed push does not change the
 * results or the exit code of the scan. It resolves with `undefined` if there is nothing to push.
 */
export function prepareScanPush(
  options: ScanPushOptions,
): (results: ScanResults) => Promise<ScanPush | undefined> {
  const { screen, log, failOn } = options;
  const opened = openClient(options);
  if (opened.problem !== undefined) {
    const { message, code } = opened.problem;
    screen.notice(`The results will not be pushed: ${message} [${code}]\n`);
  }
  return async (results) => {
    try {
      const push = await pushResults(options, opened, results);
      if (push !== undefined) printGate([{ name: 'Results', outcome: push.outcome }], options);
      else if (failOn !== undefined) screen.notice('The gate was not evaluated: nothing was pushed\n');
      return push;
    } catch (error) {
      const problem = problemOf(error, log);
      reportProblem(options, problem, { ...results, path: results.ocsfFile });
      const outcome = failedPush(problem, failOn);
      printGate([{ name: 'Results', outcome }], options);
      return { file: results.ocsfFile, outcome };
    } finally {
      await opened.client?.close();
    }
  };
}

async function pushResults(
  options: ScanPushOptions,
  opened: OpenedClient,
  results: ScanResults,
): Promise<ScanPush | undefined> {
  const { screen } = options;
  const { findings, ocsfFile, coverage } = results;
  if (findings === 0) {
    screen.notice('Nothing to push: the scan has no findings\n');
    if (ocsfFile !== undefined) screen.notice(describeResultsLocation(ocsfFile));
    return undefined;
  }
  if (ocsfFile !== undefined) {
    const outcome = await pushOcsf(options, opened, { path: ocsfFile, coverage });
    return { file: ocsfFile, outcome };
  }
  const temporary = await writeTemporaryOcsf(screen, results);
  const outcome = await pushOcsf(options, opened, { path: temporary.file, coverage });
  if (!isAccepted(outcome)) return { file: temporary.file, outcome };
  await temporary.remove();
  return { file: undefined, outcome };
}

/** Writes the OCSF file to the temporary directory, or to the output folder if that fails. */
async function writeTemporaryOcsf(
  screen: Screen,
  { writeOcsf, outputFolder }: ScanResults,
): Promise<{ readonly file: string; readonly remove: () => Promise<void> }> {
  try {
    const { folder, remove } = await makeTemporaryFolder();
    const file = await writeOcsf(folder).catch(async (error: unknown) => {
      await remove();
      throw error;
    });
    return { file, remove };
  } catch (error) {
    const reason = errorCode(error) ?? errorCode(error instanceof ScannerError ? error.cause : undefined);
    if (reason === undefined) throw error;
    screen.notice(
      `The temporary directory ${tmpdir()} is not writable (${reason}); set TMPDIR to use another directory. The OCSF results are written to ${outputFolder} instead\n`,
    );
    const file = await writeOcsf(outputFolder);
    return { file, remove: () => rm(file, { force: true }) };
  }
}

/** Whether the service accepted the file and no failure is known. */
function isAccepted({ problem, ingestion }: PushOutcome): boolean {
  return problem === undefined && ingestion?.status !== 'failed';
}

async function pushOcsf(
  options: ScanPushOptions,
  opened: OpenedClient,
  file: OcsfFile,
): Promise<PushOutcome> {
  const { screen } = options;
  if (opened.problem !== undefined) {
    reportProblem(options, opened.problem, file);
    return failedPush(opened.problem, options.failOn);
  }
  const outcome = await pushWith(opened.client, options, file);
  if (outcome.problem !== undefined) reportProblem(options, outcome.problem, file, failedStep(outcome));
  else if (!isAccepted(outcome)) screen.notice(describeResultsLocation(file.path));
  return outcome;
}

async function pushWith(
  client: IngestionClient,
  options: ScanPushOptions,
  file: OcsfFile,
): Promise<PushOutcome> {
  const { screen, paint, log, isJson } = options;
  screen.notice(`\nPushing ${file.path} to ${client.baseUrl}\n`);
  const outcome = await pushFile({ client, screen, log }, requestOf(options, file));
  const { reason } = file.coverage;
  const partialReason = reason ?? undefined;
  if (!isJson) screen.result(outcomeText('Results', outcome, paint, { partialReason }));
  return outcome;
}

function requestOf({ waitSeconds, labels, failOn }: ScanPushOptions, file: OcsfFile): PushRequest {
  const {
    path,
    coverage: { coverage },
  } = file;
  return { path, waitSeconds, labels, coverage, failOn };
}

function reportProblem(
  options: ScanPushOptions,
  problem: Problem,
  { path, coverage }: PlannedFile,
  step: Step = 'push',
): void {
  const { screen } = options;
  screen.notice(`${problemLine(problem, step)}\n${describeResultsLocation(path)}`);
  if (path === undefined) return;
  const purpose = step === 'push' ? 'push them again' : 'wait again for the same job';
  screen.notice(`To ${purpose}, use ${pushCommand(requestOf(options, { path, coverage }))}\n`);
}

function describeResultsLocation(file: string | undefined): string {
  return file === undefined ? 'The OCSF results could not be written\n' : `The OCSF results are in ${file}\n`;
}
