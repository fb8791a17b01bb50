import type { Finding, ScanInfo } from '../checks/finding.ts';
import type { ComplianceResult } from '../compliance/compliance-results.ts';
import type { Directory } from '../directory/directory.ts';
import { complianceTable } from '../outputs/compliance-table.ts';
import { countFindings } from '../outputs/count-findings.ts';
import { summaryTable } from '../outputs/summary-table.ts';
import type { WrittenFile } from '../outputs/write-outputs.ts';
import { outcomeJson } from '../push/outcome.ts';
import type { ScanPush } from '../push/push-scan.ts';
import { type Paint, painter, visibleText } from '../terminal/formatting.ts';
import type { Screen } from '../terminal/screen.ts';
import type { ScanCoverage } from './scan-coverage.ts';

interface BannerFacts {
  readonly version: string;
  readonly orgDomain: string;
  readonly clientId: string;
  /** Product name. */
  readonly title: string;
  readonly scopes: readonly string[];
  readonly configFile: string | undefined;
  readonly mutelistFile: string | undefined;
  readonly checks: number;
}

/** The banner that is printed before a scan. It contains no secrets. */
export function banner(facts: BannerFacts, paint: Paint): string {
  const { version, orgDomain, clientId, title, scopes, configFile, mutelistFile, checks } = facts;
  const rows = [
    ['Organization', `${orgDomain} (${title})`],
    ['Client ID', clientId],
    ['Authentication', 'OAuth 2.0 client credentials, private-key JWT'],
    ['Scopes', scopes.length === 0 ? 'unknown (not reported by the access token)' : scopes.join(' ')],
    ...(configFile === undefined ? [] : [['Configuration', configFile]]),
    ...(mutelistFile === undefined ? [] : [['Mutelist', mutelistFile]]),
    ['Checks', String(checks)],
  ];
  const lines = rows.map(([name = '', value = '']) => `  ${name.padEnd(15)} ${value}`);
  return `${paint('bold', `Sluice scanner ${version}`)}\n\n${lines.join('\n')}\n\n`;
}

export interface Results {
  /** All findings of the scan, which the tables count regardless of `--status`. */
  readonly findings: readonly Finding[];
  /** The findings to print individually. */
  readonly shown: readonly Finding[];
  readonly info: ScanInfo;
  readonly files: readonly WrittenFile[];
  /** A table is printed for each framework. */
  readonly compliance: readonly ComplianceResult[];
  readonly colors: boolean;
  readonly screen: Screen;
}

const COLORS = { PASS: 'green', FAIL: 'red', MANUAL: 'yellow' } as const;

/** Prints the requested findings, the tables, and the paths of the output files. */
export function printResults({ findings, shown, info, files, compliance, colors, screen }: Results): void {
  const paint = painter(colors);
  if (shown.length > 0) {
    const lines = shown.map(({ check, verdict, muted }) => {
      const { status, resource } = verdict;
      const label = muted ? paint('magenta', `MUTED (${status})`) : paint(COLORS[status], status);
      return `${label} ${check.id} ${visibleText(resource.name)}: ${visibleText(verdict.detail)}\n`;
    });
    screen.result(`${lines.join('')}\n`);
  }
  screen.result(summaryTable(findings, info, { colors }));
  for (const result of compliance) screen.result(`\n${complianceTable(result, info, { colors })}`);
  const width = Math.max(...files.map(({ format }) => format.length));
  const paths = files.map((file) => `  ${file.format.padEnd(width)}  ${file.path}\n`);
  screen.result(`\nOutput files:\n${paths.join('')}`);
}

export interface ScanSummary {
  readonly info: ScanInfo;
  /** All findings of the scan, regardless of `--status`. */
  readonly findings: readonly Finding[];
  readonly files: readonly WrittenFile[];
  readonly requests: Directory['requests'];
  /** The coverage of the OCSF file. */
  readonly coverage: ScanCoverage;
  /** The count of evaluated checks, and the IDs of checks that failed with an internal error. */
  readonly checks: { readonly evaluated: number; readonly broken: readonly string[] };
  /** `undefined` if there was nothing to push. */
  readonly push: ScanPush | undefined;
}

/**
 * The machine-readable result of a scan (`scanner directory --json`), with the same property names as `scanner push
 * --json`.
 */
export function scanJson({ info, findings, files, requests, coverage, checks, push }: ScanSummary) {
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
    coverage: coverage.coverage,
    coverage_reason: coverage.reason,
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

/** The request counts of a scan as text, such as `84 management API requests, 1 token request`. */
export function requestCounts({ api, token, retries, waits, waitedSeconds }: Directory['requests']): string {
  const requests = `${counted(api, 'management API request')}, ${counted(token, 'token request')}`;
  if (retries === 0 && waits === 0) return requests;
  const waitTime = `${counted(waits, 'wait')} of ${Math.round(waitedSeconds)} s in total`;
  return `${requests}; ${retries === 1 ? '1 retry' : `${retries} retries`}, ${waitTime}`;
}

function counted(count: number, noun: string): string {
  return count === 1 ? `1 ${noun}` : `${count} ${noun}s`;
}
