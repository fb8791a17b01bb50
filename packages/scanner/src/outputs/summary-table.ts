import { SEVERITIES, SEVERITY_TITLES } from '../checks/check.ts';
import type { Finding, ScanInfo } from '../checks/finding.ts';
import { type Column, type Paint, painter, textTable, visibleText } from '../terminal/formatting.ts';
import { countFindings, type FindingCounts, groupsByName, percentage } from './count-findings.ts';

const COLUMNS: readonly Column[] = [
  { title: 'Service', align: 'left' },
  { title: 'Status', align: 'left' },
  ...SEVERITIES.map((severity) => ({ title: SEVERITY_TITLES[severity], align: 'right' }) as const),
  { title: 'Manual', align: 'right' },
  { title: 'Muted', align: 'right' },
];

/** The results of a scan: a summary line, then one line per service. Severity columns count failed findings only. */
export function summaryTable(
  findings: readonly Finding[],
  scan: ScanInfo,
  { colors }: { readonly colors: boolean },
): string {
  const organization = visibleText(scan.orgDomain);
  if (findings.length === 0) return `Organization ${organization}: no findings.\n`;
  const paint = painter(colors);
  const rows = groupsByName(findings, ({ check }) => check.service).map(([service, members]) => {
    const counts = countFindings(members);
    return [
      service,
      overallResult(counts, paint),
      ...SEVERITIES.map((severity) => String(counts.failedBySeverity[severity])),
      String(counts.manual),
      String(counts.muted),
    ];
  });
  return [
    `Organization ${paint('bold', organization)}`,
    summaryLine(countFindings(findings), paint),
    '',
    textTable(COLUMNS, rows),
    '',
    'Severity columns count failed findings. Muted findings are counted only as muted. Services without findings are not shown.',
    '',
  ].join('\n');
}

/** The overall result of a group of findings: FAIL if any finding failed, otherwise PASS if any finding passed. */
export function overallResult({ failed, passed, manual }: FindingCounts, paint: Paint): string {
  if (failed > 0) return paint('red', `FAIL (${failed})`);
  if (passed > 0) return paint('green', `PASS (${passed})`);
  return manual > 0 ? paint('yellow', `MANUAL (${manual})`) : paint('magenta', 'MUTED');
}

/** The counts by status on one line, with percentages. */
export function summaryLine(counts: FindingCounts, paint: Paint): string {
  const part = (count: number, label: string) => `${percentage(count, counts.total)} (${count}) ${label}`;
  return [
    paint('red', part(counts.failed, 'failed')),
    paint('green', part(counts.passed, 'passed')),
    paint('yellow', part(counts.manual, 'manual')),
    paint('magenta', part(counts.muted, 'muted')),
  ].join('   ');
}
