import { v7 as uuidv7 } from 'uuid';
import type { Check, Thresholds } from '../checks/check.ts';
import { checksForDialect } from '../checks/dialect-checks.ts';
import type { Finding, ScanInfo } from '../checks/finding.ts';
import { complianceResults } from '../compliance/compliance-results.ts';
import type { Framework } from '../compliance/framework.ts';
import type { ScanConfig } from '../config-file/read-config-file.ts';
import type { Dialect } from '../directory/dialect.ts';
import { connect, type Directory } from '../directory/directory.ts';
import { type DirectorySettings, readDirectorySettings } from '../directory/settings.ts';
import type { Snapshot } from '../directory/snapshot.ts';
import { ScannerError } from '../lib/errors.ts';
import { isMuted, type Mutelist } from '../mutelist/mutelist.ts';
import { writeJsonFile } from '../outputs/json-file.ts';
import { assertOutputFolder } from '../outputs/output-folder.ts';
import { defaultStem, outputPath, writeOutputs } from '../outputs/write-outputs.ts';
import type { StatusFilter } from '../selection/select-checks.ts';
import { painter } from '../terminal/formatting.ts';
import type { Log } from '../terminal/log.ts';
import { startProgress } from '../terminal/progress.ts';
import type { Screen } from '../terminal/screen.ts';
import type { DirectoryFlags } from './directory-options.ts';
import { scanCoverage } from './scan-coverage.ts';
import { banner, printResults, requestCounts, scanJson } from './scan-output.ts';

export interface ScanRequest {
  readonly flags: DirectoryFlags;
  readonly checks: readonly Check[];
  /** The frameworks whose results are reported. */
  readonly frameworks: readonly Framework[];
  readonly config: ScanConfig;
  readonly mutelist: Mutelist | undefined;
  readonly version: string;
  readonly env: NodeJS.ProcessEnv;
  readonly screen: Screen;
  readonly colors: boolean;
  readonly log: Log;
}

export interface EvaluationRequest {
  readonly checks: readonly Check[];
  readonly snapshot: Snapshot;
  readonly thresholds: Thresholds;
  readonly dialect: Dialect;
  readonly orgDomain: string;
  /** `undefined` if nothing is muted. */
  readonly mutelist: Mutelist | undefined;
}

/** A check that threw an error because of a bug. The results of the other checks are kept. */
interface BrokenCheck {
  readonly id: string;
  readonly error: unknown;
}

export interface Evaluation {
  readonly findings: readonly Finding[];
  readonly broken: readonly BrokenCheck[];
}

/**
 * Scans one organization: signs in, reads the required resources, evaluates the checks, and writes and prints the
 * results. Resolves with the exit code 0, 3 or 4. Throws a ScannerError if the scan fails. If a check throws an error,
 * writes all other results before throwing a ScannerError.
 */
export async function scan(request: ScanRequest): Promise<number> {
  const { flags, checks, config, version, env, screen, colors, log } = request;
  const settings = await readDirectorySettings({
    env,
    flags: settingsFlags(flags, config),
    dialect: flags.dialect,
  });
  const info = scanInfo(settings, version);
  const stem = flags.outputFilename ?? defaultStem(info);
  const target = { directory: flags.outputDirectory, stem, scan: info };
  // These calls only validate the name and the folder, so that errors are reported before the first request.
  await writeOutputs({ ...target, formats: [], findings: [] });
  await assertOutputFolder(flags.outputDirectory);
  // If this scan fails, the file must not contain the document of an earlier one.
  if (flags.jsonFile !== undefined) await writeJsonFile(flags.jsonFile, '');

  const push = flags.pushToCloud ? await preparePush(request) : undefined;

  const directory = await connect(settings, log);
  if (flags.banner) screen.notice(banner({ ...bannerFacts(request, directory), version }, painter(colors)));
  const snapshot = await readSnapshot(directory, checks, screen);
  const { thresholds } = config;
  const { dialect } = flags;
  const { orgDomain } = info;
  const evaluation = evaluate({
    checks,
    snapshot,
    thresholds,
    dialect,
    orgDomain,
    mutelist: request.mutelist,
  });

  const findings = evaluation.findings.filter((finding) => matchesStatus(finding, flags.status));
  const compliance = complianceResults(evaluation.findings, request.frameworks, thresholds, dialect);
  const files = await writeOutputs({
    ...target,
    formats: flags.outputFormats,
    findings,
    compliance: compliance.map((result) => ({
      ...result,
      findings: result.findings.filter((finding) => matchesStatus(finding, flags.status)),
    })),
  });
  const shown = flags.verbose ? findings : [];
  if (!flags.json) {
    printResults({ findings: evaluation.findings, shown, info, files, compliance, colors, screen });
    screen.result(
      `\n${checks.length === 1 ? '1 check' : `${checks.length} checks`}; ${requestCounts(directory.requests)}\n`,
    );
  }
  const coverage = scanCoverage({
    allChecks: checksForDialect(dialect),
    checks,
    areAllEvaluated: evaluation.broken.length === 0,
    snapshot,
    dialect,
    status: flags.status,
  });
  const pushed = await push?.({
    outputFolder: flags.outputDirectory,
    coverage,
    findings: findings.length,
    ocsfFile: flags.outputFormats.includes('json-ocsf') ? outputPath(target, 'json-ocsf') : undefined,
    writeOcsf: async (directory) => {
      await writeOutputs({ ...target, directory, formats: ['json-ocsf'], findings });
      return outputPath({ directory, stem }, 'json-ocsf');
    },
  });
  if (flags.json || flags.jsonFile !== undefined) {
    const broken = evaluation.broken.map(({ id }) => id);
    const summary = {
      info,
      findings: evaluation.findings,
      files,
      requests: directory.requests,
      coverage,
      checks: { evaluated: checks.length - broken.length, broken },
      push: pushed,
    };
    const document = `${JSON.stringify(scanJson(summary), null, 2)}\n`;
    if (flags.json) screen.result(document);
    if (flags.jsonFile !== undefined) await writeJsonFile(flags.jsonFile, document);
  }
  assertAllEvaluated(evaluation, log);
  if (pushed?.outcome.gate?.result === 'failed') return 4;
  const failed = evaluation.findings.some(({ verdict, muted }) => verdict.status === 'FAIL' && !muted);
  return failed && !flags.ignoreExitCode3 ? 3 : 0;
}

function settingsFlags(flags: DirectoryFlags, config: ScanConfig) {
  return {
    orgDomain: flags.directoryOrgDomain,
    clientId: flags.directoryClientId,
    scopes: flags.directoryScopes.length === 0 ? undefined : flags.directoryScopes,
    requestsPerSecond: flags.directoryRequestsPerSecond ?? config.requestsPerSecond,
    maxRetries: flags.directoryRetriesMaxAttempts ?? config.maxRetries,
    timeoutSeconds: config.timeoutSeconds,
  };
}

function scanInfo({ orgDomain, clientId, dialect }: DirectorySettings, scannerVersion: string): ScanInfo {
  return {
    scanId: uuidv7(),
    startedAt: new Date(),
    scannerVersion,
    orgDomain,
    clientId,
    provider: dialect.name,
  };
}

/** Imported on demand, because the HTTP client takes time to load and is not needed for a scan without a push. */
async function preparePush({ flags, env, version, screen, colors, log }: ScanRequest) {
  const { prepareScanPush } = await import('../push/push-scan.ts');
  const { waitSeconds, labels, failOn, json: isJson } = flags;
  const paint = painter(colors);
  return prepareScanPush({ env, version, waitSeconds, labels, failOn, screen, paint, log, isJson });
}

function bannerFacts({ flags, checks }: ScanRequest, directory: Directory) {
  return {
    orgDomain: directory.orgDomain,
    clientId: directory.clientId,
    title: flags.dialect.title,
    scopes: directory.grantedScopes ?? [],
    configFile: flags.configFile,
    mutelistFile: flags.mutelistFile,
    checks: checks.length,
  };
}

/** Reads each resource once, regardless of how many checks need it. */
async function readSnapshot(
  directory: Directory,
  checks: readonly Check[],
  screen: Screen,
): Promise<Snapshot> {
  const keys = [...new Set(checks.flatMap(({ needs }) => needs))];
  let done = 0;
  const progress = startProgress(screen, () => ({
    done,
    total: keys.length,
    text: `${done}/${keys.length} resource types read, ${directory.requests.api} requests`,
  }));
  try {
    return await directory.read(keys, (finished) => {
      done = finished;
    });
  } finally {
    progress.end();
  }
}

/** Evaluates every check and marks muted findings. Findings are in the order of the checks. */
export function evaluate(request: EvaluationRequest): Evaluation {
  const { checks, snapshot, thresholds, dialect, orgDomain, mutelist } = request;
  const findings: Finding[] = [];
  const broken: BrokenCheck[] = [];
  for (const check of checks) {
    try {
      for (const verdict of check.evaluate({ snapshot, thresholds, dialect })) {
        const muted = mutelist !== undefined && isMuted(mutelist, orgDomain, check.id, verdict);
        findings.push({ check, verdict, muted });
      }
    } catch (error) {
      broken.push({ id: check.id, error });
    }
  }
  return { findings, broken };
}

/** Whether `--status` selects a finding; without a status, every finding is selected. */
function matchesStatus({ verdict, muted }: Finding, filter: readonly StatusFilter[]): boolean {
  return filter.length === 0 || filter.includes(verdict.status) || (muted && filter.includes('MUTED'));
}

function assertAllEvaluated({ broken }: Evaluation, log: Log): void {
  if (broken.length === 0) return;
  for (const { id, error } of broken)
    log.error(`${id} failed with an internal error`, {
      error: error instanceof Error ? (error.stack ?? error.message) : String(error),
    });
  const names = broken.map(({ id }) => id).join(', ');
  throw new ScannerError(
    'check_broke',
    `an internal error prevented the evaluation of ${names}; all other results were written; please report this with the log`,
  );
}
