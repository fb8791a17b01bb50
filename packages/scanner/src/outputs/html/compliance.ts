import type { Finding } from '../../checks/finding.ts';
import type { ComplianceResult } from '../../compliance/compliance-results.ts';
import type { Dialect } from '../../directory/dialect.ts';
import { complianceSections } from '../compliance-table.ts';
import { countFindings, type FindingCounts } from '../count-findings.ts';
import { html, type Markup } from './markup.ts';
import { countCell, RESULT_STATUS_TITLES } from './summary.ts';

/** A row of a compliance table: a category of the STIG, or a safeguard. */
interface ReportSection {
  /** ID of the section in filters. */
  readonly id: string;
  readonly title: string;
  readonly findings: readonly Finding[];
}

/** A framework in the report. */
export interface ReportFramework {
  readonly result: ComplianceResult;
  readonly name: string;
  readonly sections: readonly ReportSection[];
}

/** Assigns IDs to the sections of the frameworks that are unique in the report. */
export function reportFrameworks(
  compliance: readonly ComplianceResult[],
  dialect: Dialect,
): readonly ReportFramework[] {
  return compliance.map((result, at) => ({
    result,
    name: result.framework.name(dialect),
    sections: complianceSections(result, dialect).map(([title, findings], index) => ({
      id: `${at}-${index}`,
      title,
      findings,
    })),
  }));
}

/** A table per framework, with the result of each section and its finding counts by status. */
export function complianceTables(frameworks: readonly ReportFramework[]): Markup {
  if (frameworks.length === 0) return html``;
  return html`<section aria-labelledby="compliance-title">
<h2 id="compliance-title">Compliance</h2>
${frameworks.map(complianceTable)}</section>`;
}

function complianceTable({ result, name, sections }: ReportFramework, at: number): Markup {
  const { framework, findings } = result;
  return html`<p class="about-table" id="framework-${at}"><strong>${name}</strong> ${framework.description}</p>
<div class="scroll" role="region" tabindex="0" aria-labelledby="framework-${at}">
<table class="numbers compliance" aria-labelledby="framework-${at}">
<thead><tr><th scope="col">${framework.sectionTitle}</th><th scope="col" class="result">Result</th><th scope="col">Failed</th><th scope="col">Passed</th><th scope="col">Manual</th><th scope="col">Muted</th></tr></thead>
<tbody>
${sections.map(({ id, title, findings: members }) => sectionRow(title, members, id))}</tbody>
<tfoot>
${sectionRow('All', findings, `${at}`)}</tfoot>
</table>
</div>
`;
}

function sectionRow(title: string, findings: readonly Finding[], requirement: string): Markup {
  const counts = countFindings(findings);
  const { failed, passed, manual, muted } = counts;
  return html`<tr><th scope="row">${title}</th><td class="result">${resultBadge(counts)}</td>${countCell(failed, { status: 'FAIL', requirement })}${countCell(passed, { status: 'PASS', requirement })}${countCell(manual, { status: 'MANUAL', requirement })}${countCell(muted, { status: 'MUTED', requirement })}</tr>
`;
}

/** The same rule as in the terminal tables: FAIL if any finding failed, otherwise PASS if any finding passed. */
function resultBadge({ failed, passed, manual, total }: FindingCounts): Markup {
  if (total === 0) return html`–`;
  const result = failed > 0 ? 'FAIL' : passed > 0 ? 'PASS' : manual > 0 ? 'MANUAL' : 'MUTED';
  return html`<span class="badge ${result.toLowerCase()}">${RESULT_STATUS_TITLES[result]}</span>`;
}
