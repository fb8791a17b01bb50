import type { Finding, ScanInfo } from '../checks/finding.ts';
import type { ComplianceResult } from '../compliance/compliance-results.ts';
import { DIALECTS, type Dialect } from '../directory/dialect.ts';
import { type Column, painter, textTable } from '../terminal/formatting.ts';
import { countFindings } from './count-findings.ts';
import { overallResult, summaryLine } from './summary-table.ts';

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

/**
 * The findings of each section, sorted by section name: `8.2` before `8.12`. A finding can belong to several sections.
 */
export function complianceSections(
  { framework, findings }: ComplianceResult,
  dialect: Dialect,
): readonly (readonly [string, readonly Finding[]])[] {
  const sections = new Map<string, Finding[]>();
  for (const finding of findings) {
    const names = framework.requirements(finding.check, dialect).map(({ section }) => section);
    for (const name of new Set(names)) {
      const members = sections.get(name);
      if (members === undefined) sections.set(name, [finding]);
      else members.push(finding);
    }
  }
  return [...sections].sort(([a], [b]) => a.localeCompare(b, 'en', { numeric: true }));
}
