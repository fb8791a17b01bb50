import { mkdir, mkdtemp, readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import type { RunResult } from '../../../../scanner/test/cli/run-scanner.ts';
import type { ScanFolder, ScannedOrganization } from '../../../../scanner/test/cli/scan-folder.ts';

/** A finished scan and its results. */
export interface ScanRun extends RunResult {
  /** The working directory. */
  readonly folder: string;
  /** The files written to `-o`, relative to the working directory: `results/scan.csv`. */
  readonly results: readonly string[];
  /** The files in the temporary directory, which only this scan uses. */
  readonly temporary: readonly string[];
}

export interface ScanRunOptions {
  readonly env?: Readonly<Record<string, string>>;
  /** Called with the working directory before the scan starts. */
  readonly starting?: (folder: string) => void;
}

/** An address without a listener. */
export const UNREACHABLE = 'http://127.0.0.1:1';

/** Runs `scanner directory -o results -F scan ...` in a separate folder. */
export async function runScan(
  scans: ScanFolder,
  { scan }: ScannedOrganization,
  words: readonly string[],
  { env = {}, starting }: ScanRunOptions = {},
): Promise<ScanRun> {
  const folder = await mkdtemp(path.join(scans.folder, 'run-'));
  await mkdir(temporaryOf(folder));
  starting?.(folder);
  const ended = await scan(['-o', 'results', '-F', 'scan', ...words], {
    cwd: folder,
    // One attempt is enough, because these tests do not cover retries.
    env: { TMPDIR: temporaryOf(folder), SCANNER_CLOUD_RETRIES_MAX_ATTEMPTS: '0', ...env },
  });
  const results = await filesBelow(path.join(folder, 'results'));
  return {
    ...ended,
    folder,
    results: results.map((file) => path.relative(folder, file)),
    temporary: await filesBelow(temporaryOf(folder)),
  };
}

/** Returns the path of the temporary directory of a scan. */
export function temporaryOf(folder: string): string {
  return path.join(folder, 'tmp');
}

/** Returns all files below a folder. */
export async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))
    .sort();
}

const recordsSchema = z.array(
  z.object({ status_code: z.string(), finding_info: z.object({ uid: z.string() }) }),
);

/** Returns the UID and status of each finding in an OCSF file. These values do not change between scans. */
export function findingsIn(content: Buffer): { readonly uid: string; readonly status: string }[] {
  return recordsSchema
    .parse(JSON.parse(content.toString()))
    .map(({ status_code, finding_info }) => ({ uid: finding_info.uid, status: status_code }));
}

/** Returns the UID and status of each finding in the OCSF file at a path. */
export async function findingsOfFile(file: string): Promise<ReturnType<typeof findingsIn>> {
  return findingsIn(await readFile(file));
}

/** Returns the absolute path of the OCSF results that a scan has printed. */
export function reportedFile({ stderr, folder }: Pick<ScanRun, 'stderr' | 'folder'>): string {
  const reported = /^The OCSF results are in (.+)$/m.exec(stderr)?.[1];
  if (reported === undefined) throw new Error(`the path of the OCSF results was not printed: ${stderr}`);
  return path.resolve(folder, reported);
}
