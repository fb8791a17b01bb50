import type { Finding, ScanInfo } from '../checks/finding.ts';
import { SEVERITIES, SEVERITY_TITLES } from '../checks/severity-levels.ts';
import { type Column, painter, textTable, visibleText } from '../terminal/text-table.ts';
import { countFindings, groupsByName } from './count-findings.ts';
import { overallResult, summaryLine } from './result-texts.ts';

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
