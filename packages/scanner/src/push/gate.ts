import { FINDING_SEVERITIES, sumCounts } from '../client/finding-changes.ts';
import {
  type DryRunReport,
  type Ingestion,
  type IngestionClient,
  type NewlyFailedFinding,
  PushError,
  type Upload,
} from '../client/index.ts';
import type { Log } from '../terminal/log.ts';
import type { GateSeverity } from './gate-severity.ts';
import { problemOf } from './problem.ts';

/** The maximum number of findings to list. */
export const MAX_LISTED = 10;

/** The result of a gate for one file. */
export interface GateResult {
  /** The lowest severity that counts. */
  readonly severity: GateSeverity;
  readonly result: 'passed' | 'failed' | 'not_evaluated';
  /** The number of findings for which the gate failed; `null` if it was not evaluated. */
  readonly count: number | null;
  /** The worst of these findings that still fail. */
  readonly findings: readonly ListedFinding[];
  /** Why the gate was not evaluated, or why `findings` is empty, as a clause; `null` if neither applies. */
  readonly reason: string | null;
}

export interface ListedFinding extends NewlyFailedFinding {
  /** URL of the finding in the console. */
  readonly url: string;
}

const NOT_STORED = { findings: [], reason: 'a dry run does not store them' } as const;

interface GateTools {
  readonly client: IngestionClient;
  readonly log: Log;
}

interface PushedJob {
  readonly upload?: Upload | undefined;
  readonly ingestion?: Ingestion | undefined;
  readonly dryRun?: DryRunReport | undefined;
}

/**
 * Decides from the counts of an ended job, or of the report of a dry run, whether findings with this severity or worse
 * newly fail. Only their list needs the permission `read_findings`. Does not throw: the result has the reason.
 */
export async function evaluateGate(
  tools: GateTools,
  { upload, ingestion, dryRun }: PushedJob,
  severity: GateSeverity,
): Promise<GateResult> {
  if (upload === undefined || ingestion === undefined) return pushFailed(severity);
  if (ingestion.status !== 'completed' && ingestion.status !== 'failed')
    return notEvaluated(severity, 'the end of the job is unknown');
  if (upload.dryRun && dryRun === undefined)
    return notEvaluated(severity, 'the report of the dry run is unknown');
  const findings = dryRun?.findings ?? ingestion.findings;
  if (findings === null) return notEvaluated(severity, adviseUpgrade(upload));
  // A severity of a later release counts, because only these are lower.
  const lower: readonly string[] = FINDING_SEVERITIES.slice(0, FINDING_SEVERITIES.indexOf(severity));
  const count = sumCounts(findings.newlyFailed, (name) => !lower.includes(name));
  if (count === 0) return { severity, result: 'passed', count, findings: [], reason: null };
  const list = upload.dryRun ? NOT_STORED : await listFindings(tools, { upload, ingestion }, severity);
  return { severity, result: 'failed', count, ...list };
}

/** The result of a gate for a file that could not be pushed. */
export function pushFailed(severity: GateSeverity): GateResult {
  return notEvaluated(severity, 'the push failed');
}

/** The result of a gate for a file that was not sent. */
export function pushSkipped(severity: GateSeverity): GateResult {
  return notEvaluated(severity, 'the push was skipped');
}

function notEvaluated(severity: GateSeverity, reason: string): GateResult {
  return { severity, result: 'not_evaluated', count: null, findings: [], reason };
}

function adviseUpgrade({ replayed }: Upload): string {
  const advice = replayed
    ? 'upgrade the service, and push the file again with another --idempotency-key'
    : 'upgrade the service';
  return `the service did not count how this upload changed findings; ${advice}`;
}

async function listFindings(
  { client, log }: GateTools,
  { upload, ingestion }: { readonly upload: Upload; readonly ingestion: Ingestion },
  severity: GateSeverity,
): Promise<Pick<GateResult, 'findings' | 'reason'>> {
  try {
    const severities = FINDING_SEVERITIES.slice(FINDING_SEVERITIES.indexOf(severity));
    const findings = await client.newlyFailed(ingestion.id, { severities, limit: MAX_LISTED });
    const listed = findings.map((finding) => ({ ...finding, url: findingUrl(upload.scansUrl, finding.id) }));
    return { findings: listed, reason: null };
  } catch (error) {
    const { message } = error instanceof PushError ? error : problemOf(error, log);
    return { findings: [], reason: message };
  }
}

/** The page that shows a finding. It is next to the page of the scans. */
function findingUrl(scansUrl: string, id: string): string {
  return new URL(`findings?finding=${encodeURIComponent(id)}`, scansUrl).href;
}
