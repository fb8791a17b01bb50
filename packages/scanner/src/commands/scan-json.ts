import type { Directory } from '../directory/directory.ts';
import type { Finding, ScanInfo } from '../finding.ts';
import { countFindings } from '../outputs/count-findings.ts';
import type { WrittenFile } from '../outputs/write-outputs.ts';
import { outcomeJson } from '../push/outcome-json.ts';
import type { ScanPush } from '../push/push-scan.ts';

export interface ScanSummary {
  readonly info: ScanInfo;
  /** All findings of the scan, regardless of `--status`. */
  readonly findings: readonly Finding[];
  readonly files: readonly WrittenFile[];
  readonly requests: Directory['requests'];
  /** The count of evaluated checks, and the IDs of checks that failed with an internal error. */
  readonly checks: { readonly evaluated: number; readonly broken: readonly string[] };
  /** `undefined` if there was nothing to push. */
  readonly push: ScanPush | undefined;
}

/**
 * The machine-readable result of a scan (`scanner directory --json`), with the same property names as `scanner push
 * --json`.
 */
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
