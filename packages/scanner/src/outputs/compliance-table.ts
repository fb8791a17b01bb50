import type { Finding, ScanInfo } from '../finding.ts';
import { countFindings, groupsByName } from './count-findings.ts';
import { painter } from './paint.ts';
import { requirementSection } from './requirement.ts';
import { outcome, overview } from './result-words.ts';
import { type Column, textTable } from './text-table.ts';

const COLUMNS: readonly Column[] = [
  { title: 'Category', align: 'left' },
  { title: 'Status', align: 'left' },
  { title: 'Fail', align: 'right' },
  { title: 'Pass', align: 'right' },
  { title: 'Manual', align: 'right' },
  { title: 'Muted', align: 'right' },
];

/** How the organization stands to the STIG: the overview in one line, then a line per category. */
export function complianceTable(
  findings: readonly Finding[],
  scan: ScanInfo,
  { colours }: { readonly colours: boolean },
): string {
  if (findings.length === 0) return `Compliance with ${scan.framework}: no findings.\n`;
  const paint = painter(colours);
  const rows = groupsByName(findings, ({ check }) => requirementSection(check)).map(([section, members]) => {
    const counts = countFindings(members);
    const { failed, passed, manual, muted } = counts;
    return [section, outcome(counts, paint), ...[failed, passed, manual, muted].map(String)];
  });
  return [
    `Compliance with ${paint('bold', scan.framework)}`,
    overview(countFindings(findings), paint),
    '',
    textTable(COLUMNS, rows),
    '',
  ].join('\n');
}
