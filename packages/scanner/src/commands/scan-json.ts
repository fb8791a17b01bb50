import type { Directory } from '../directory/directory.ts';
import type { Finding, ScanInfo } from '../finding.ts';
import { countFindings } from '../outputs/count-findings.ts';
import type { WrittenFile } from '../outputs/write-outputs.ts';
import { outcomeJson } from '../push/outcome-json.ts';
import type { ScanPush } from '../push/push-scan.ts';

export interface ScanSummary {
  readonly info: ScanInfo;
  /** Of the whole scan, whatever is written to files. */
  readonly findings: readonly Finding[];
  readonly files: readonly WrittenFile[];
  readonly requests: Directory['requests'];
  /** How many checks were evaluated, and the ids of those that could not be because of a fault of the scanner. */
  readonly checks: { readonly evaluated: number; readonly broken: readonly string[] };
  /** `undefined`: nothing was to be pushed. */
  readonly push: ScanPush | undefined;
}

/** What a scan did, for programs: `scanner directory --json`. Names are those of `scanner push --json`. */
export function scanJson({ info, findings, files, requests, checks, push }: ScanSummary) {
  const { total, failed, passed, manual, muted, failedBySeverity } = countFindings(findings);
  return {
    scan_id: info.scanId,
    started_at: info.startedAt.toISOString(),
    scanner_version: info.scannerVersion,
    provider: info.provider,
    organization: info.orgDomain,
    checks,
    findings: {
      total,
      by_status: { fail: failed, pass: passed, manual, muted },
      failed_by_severity: failedBySeverity,
    },
    files: files.map(({ format, path }) => ({ format, path })),
    requests: {
      management_api: requests.api,
      token: requests.token,
      repeated: requests.retries,
      waits: requests.waits,
      waited_seconds: requests.waitedSeconds,
    },
    push: push === undefined ? null : outcomeJson(push.file ?? null, push.outcome),
  };
}
