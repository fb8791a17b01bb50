import type { IngestionClient } from '../client/index.ts';
import type { Screen } from '../console/screen.ts';
import type { Log } from '../log.ts';
import type { Paint } from '../outputs/paint.ts';
import { openClient } from './open-client.ts';
import { outcomeText } from './outcome-text.ts';
import { problemLine, problemOf } from './problem.ts';
import { pushFile } from './push-file.ts';
import { makeTemporaryFolder } from './temporary-folder.ts';

export interface ScanPushOptions {
  readonly env: NodeJS.ProcessEnv;
  readonly version: string;
  /** How long to wait for the job, in seconds; 0: without limit; `undefined`: not at all. */
  readonly waitSeconds: number | undefined;
  readonly screen: Screen;
  readonly paint: Paint;
  readonly log: Log;
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
export async function prepareScanPush(
  options: ScanPushOptions,
): Promise<(results: ScanResults) => Promise<void>> {
  const { env, version, screen, log } = options;
  const open = () => openClient(env, version, log);
  try {
    await open().close();
  } catch (error) {
    const { message, code } = problemOf(error, log);
    screen.notice(`The results will not be pushed: ${message} [${code}]\n`);
  }
  return (results) => pushResults(options, results, open);
}

/** Where the push does not succeed it says where the OCSF file is; a temporary one is removed when it does. */
async function pushResults(
  options: ScanPushOptions,
  { findings, ocsfFile, writeOcsf }: ScanResults,
  open: () => IngestionClient,
): Promise<void> {
  const { screen, log } = options;
  let file = ocsfFile;
  try {
    if (findings === 0) {
      screen.notice('Nothing is pushed: the scan has no findings\n');
      if (file !== undefined) screen.notice(whereabouts(file));
    } else if (file !== undefined) {
      await pushOcsf(options, open, file);
    } else {
      const temporary = await makeTemporaryFolder();
      file = await writeOcsf(temporary.folder);
      if (await pushOcsf(options, open, file)) await temporary.remove();
    }
  } catch (error) {
    screen.notice(`${problemLine(problemOf(error, log))}\n${whereabouts(file)}`);
  }
}

/** Whether the service has the file, and, as far as we have waited, nothing was wrong with it. */
async function pushOcsf(
  { screen, paint, log, waitSeconds }: ScanPushOptions,
  open: () => IngestionClient,
  path: string,
): Promise<boolean> {
  const client = open();
  try {
    screen.notice(`\nPushing the results to ${client.baseUrl}\n`);
    const outcome = await pushFile({ client, screen, log }, { path, waitSeconds });
    screen.result(outcomeText('Results', outcome, paint));
    if (outcome.problem !== undefined) screen.notice(`${problemLine(outcome.problem)}\n`);
    const isTaken = outcome.problem === undefined && outcome.ingestion?.status !== 'failed';
    if (!isTaken) screen.notice(whereabouts(path));
    return isTaken;
  } finally {
    await client.close();
  }
}

function whereabouts(file: string | undefined): string {
  return file === undefined ? 'The OCSF results could not be written\n' : `The OCSF results are in ${file}\n`;
}
