import { SEVERITIES, SEVERITY_TITLES } from '../checks/severity-levels.ts';
import type { Finding, ScanInfo } from '../finding.ts';
import { countFindings, groupsByName } from './count-findings.ts';
import { painter } from './paint.ts';
import { outcome, overview } from './result-texts.ts';
import { type Column, textTable } from './text-table.ts';
import { visibleText } from './visible-text.ts';

const COLUMNS: readonly Column[] = [
  { title: 'Service', align: 'left' },
  { title: 'Status', align: 'left' },
  ...SEVERITIES.map((severity) => ({ title: SEVERITY_TITLES[severity], align: 'right' }) as const),
  { title: 'Manual', align: 'right' },
  { title: 'Muted', align: 'right' },
];

/** What a scan prints at its end: the overview in one line, then a line per service. Severities count fails only. */
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
      outcome(counts, paint),
      ...SEVERITIES.map((severity) => String(counts.failedBySeverity[severity])),
      String(counts.manual),
      String(counts.muted),
    ];
  });
  return [
    `Organization ${paint('bold', organization)}`,
    overview(countFindings(findings), paint),
    '',
    textTable(COLUMNS, rows),
    '',
    'The columns of severities count fails; muted findings stand apart. Services without a finding are not shown.',
    '',
  ].join('\n');
}
