import type { ComplianceResult } from '../compliance/compliance-results.ts';
import { DIALECTS } from '../directory/dialect.ts';
import type { ScanInfo } from '../finding.ts';
import { complianceSections } from './compliance-sections.ts';
import { countFindings } from './count-findings.ts';
import { painter } from './paint.ts';
import { overallResult, summaryLine } from './result-texts.ts';
import { type Column, textTable } from './text-table.ts';

const COUNT_COLUMNS: readonly Column[] = [
  { title: 'Status', align: 'left' },
  { title: 'Fail', align: 'right' },
  { title: 'Pass', align: 'right' },
  { title: 'Manual', align: 'right' },
  { title: 'Muted', align: 'right' },
];

/** The results of a framework: a summary line, then one line per section. */
export function complianceTable(
  result: ComplianceResult,
  scan: ScanInfo,
  { colors }: { readonly colors: boolean },
): string {
  const { framework, findings } = result;
  const dialect = DIALECTS[scan.provider];
  const name = framework.name(dialect);
  if (findings.length === 0) return `Compliance with ${name}: no findings.\n`;
  const paint = painter(colors);
  const rows = complianceSections(result, dialect).map(([section, members]) => {
    const counts = countFindings(members);
    const { failed, passed, manual, muted } = counts;
    return [section, overallResult(counts, paint), ...[failed, passed, manual, muted].map(String)];
  });
  return [
    `Compliance with ${paint('bold', name)}`,
    summaryLine(countFindings(findings), paint),
    '',
    textTable([{ title: framework.sectionTitle, align: 'left' }, ...COUNT_COLUMNS], rows),
    '',
  ].join('\n');
}
