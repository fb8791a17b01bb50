import type { ComplianceResult } from '../compliance/compliance-results.ts';
import type { Screen } from '../console/screen.ts';
import type { Finding, ScanInfo } from '../finding.ts';
import { complianceTable } from '../outputs/compliance-table.ts';
import { painter } from '../outputs/paint.ts';
import { summaryTable } from '../outputs/summary-table.ts';
import { visibleText } from '../outputs/visible-text.ts';
import type { WrittenFile } from '../outputs/write-outputs.ts';

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
