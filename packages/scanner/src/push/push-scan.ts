import type { IngestionClient } from '../client/index.ts';
import type { Screen } from '../console/screen.ts';
import type { Paint } from '../outputs/paint.ts';
import { type ClientSurroundings, type OpenedClient, openClient } from './open-client.ts';
import { outcomeText } from './outcome-text.ts';
import { type Problem, problemLine, problemOf } from './problem.ts';
import { pushFile } from './push-file.ts';
import { makeTemporaryFolder } from './temporary-folder.ts';

export interface ScanPushOptions extends ClientSurroundings {
  /** How long to wait for the job, in seconds; 0: without limit; `undefined`: not at all. */
  readonly waitSeconds: number | undefined;
  readonly screen: Screen;
  readonly paint: Paint;
}

export interface ScanResults {
  readonly findings: number;
  /** The OCSF file of the scan; `undefined`: OCSF was not among the formats. */
  readonly ocsfFile: string | undefined;
  /** Writes the OCSF file of the scan into a folder, and resolves with its path. */
  readonly writeOcsf: (folder: string) => Promise<string>;
}

/**
 * The push that follows a scan (specification, "Reference client"). What would keep the results from being pushed is
 * told now, as far as it is known before the scan. The function that is returned pushes them, and never throws: the scan
 * is done by then, and what becomes of the push changes neither its results nor its exit code.
 */
export function prepareScanPush(options: ScanPushOptions): (results: ScanResults) => Promise<void> {
  const { screen, log } = options;
  const opened = openClient(options);
  if (opened.problem !== undefined) {
    const { message, code } = opened.problem;
    screen.notice(`The results will not be pushed: ${message} [${code}]\n`);
  }
  return async (results) => {
    try {
      await pushResults(options, opened, results);
    } catch (error) {
      tellProblem(screen, problemOf(error, log), results.ocsfFile);
    } finally {
      await opened.client?.close();
    }
  };
}

async function pushResults(
  options: ScanPushOptions,
  opened: OpenedClient,
  { findings, ocsfFile, writeOcsf }: ScanResults,
): Promise<void> {
  const { screen } = options;
  if (findings === 0) {
    screen.notice('Nothing is pushed: the scan has no findings\n');
    if (ocsfFile !== undefined) screen.notice(whereabouts(ocsfFile));
    return;
  }
  if (ocsfFile !== undefined) {
    await pushOcsf(options, opened, ocsfFile);
    return;
  }
  const temporary = await makeTemporaryFolder();
  const isTaken = await pushOcsf(options, opened, await writeOcsf(temporary.folder));
  if (isTaken) await temporary.remove();
}

/** Whether the service has the file, and, as far as we have waited, nothing was wrong with it. */
async function pushOcsf(options: ScanPushOptions, opened: OpenedClient, file: string): Promise<boolean> {
  const { screen } = options;
  if (opened.problem !== undefined) {
    tellProblem(screen, opened.problem, file);
    return false;
  }
  const { problem, ingestion } = await pushWith(opened.client, options, file);
  if (problem !== undefined) tellProblem(screen, problem, file);
  else if (ingestion?.status === 'failed') screen.notice(whereabouts(file));
  return problem === undefined && ingestion?.status !== 'failed';
}

async function pushWith(
  client: IngestionClient,
  { screen, paint, log, waitSeconds }: ScanPushOptions,
  path: string,
) {
  screen.notice(`\nPushing ${path} to ${client.baseUrl}\n`);
  const outcome = await pushFile({ client, screen, log }, { path, waitSeconds });
  screen.result(outcomeText('Results', outcome, paint));
  return outcome;
}

function tellProblem(screen: Screen, problem: Problem, file: string | undefined): void {
  screen.notice(`${problemLine(problem)}\n${whereabouts(file)}`);
}

function whereabouts(file: string | undefined): string {
  return file === undefined ? 'The OCSF results could not be written\n' : `The OCSF results are in ${file}\n`;
}
