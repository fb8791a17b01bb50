import { type CheckMetadata, SEVERITIES, SEVERITY_TITLES } from '../../checks/check.ts';
import type { Finding, ScanInfo } from '../../checks/finding.ts';
import { complianceOf } from '../../compliance/all-frameworks.ts';
import { controlIds, STIG, stigId, stigSection } from '../../compliance/stig.ts';
import { DIALECTS } from '../../directory/dialect.ts';
import { countFindings, groupFindings, type ResultStatus, resultStatus } from '../count-findings.ts';
import type { ReportFramework } from './compliance.ts';
import { html, type Markup } from './markup.ts';
import { RESULT_STATUS_TITLES, RESULT_STATUSES } from './summary.ts';

/**
 * Creates a collapsible section per check, with failed checks first, by severity. Each section has one row per finding,
 * followed by the description of the check.
 */
export function checkSections(
  findings: readonly Finding[],
  scan: ScanInfo,
  frameworks: readonly ReportFramework[],
): Markup {
  const lessStrict = new Set(frameworks.flatMap(({ result }) => [...result.lessStrictLimits.keys()]));
  const groups = [...groupFindings(findings, ({ check }) => check.id).values()].sort(
    (a, b) => urgency(a, lessStrict) - urgency(b, lessStrict),
  );
  const columns = RESULT_STATUSES.filter((value) =>
    findings.some((finding) => resultStatus(finding) === value),
  );
  return html`<section aria-labelledby="findings" class="columns-${columns.length}">
<h2 id="findings" tabindex="-1">Findings</h2>
${findings.length === 0 ? html`<p>The scan has no findings.</p>` : ''}
<p id="none" hidden>No findings match the filters.</p>
${groups.map((members) => checkSection(members, columns, scan, frameworks))}
</section>`;
}

function checkSection(
  members: readonly Finding[],
  columns: readonly ResultStatus[],
  scan: ScanInfo,
  frameworks: readonly ReportFramework[],
): Markup {
  const [first] = members;
  if (first === undefined) return html``;
  const { check } = first;
  const counts = columns
    .map((value, at) => ({
      value,
      column: at + 1,
      count: members.filter((member) => resultStatus(member) === value).length,
    }))
    .filter(({ count }) => count > 0);
  const rows = members.toSorted((a, b) => rank(a) - rank(b));
  const { requirements, failing, notes, names } = complianceOfCheck(check.id, frameworks);
  // Severity colors are used only for failed checks.
  const hasFailed = failing.length > 0 || countFindings(members).failed > 0;
  const severityClass = hasFailed ? check.severity : 'clear';
  return html`<details class="check" data-severity="${check.severity}" data-service="${check.service}" data-requirements="${requirements.join(' ')}" data-failing="${failing.join(' ')}">
<summary><span class="badge severity ${severityClass}">${SEVERITY_TITLES[check.severity]}</span><h3>${check.title}</h3><span class="about">${check.service} · ${stigId(check, DIALECTS[scan.provider])} · ${check.stig.group}${names.map((name) => html` · <strong>fails ${name}</strong>`)}</span><span class="totals">${counts.map(
    ({ value, column, count }) =>
      html`<span class="badge ${value.toLowerCase()} column-${column}">${RESULT_STATUS_TITLES[value]} ${count}</span> `,
  )}</span></summary>
${notes}
<table class="findings">
<caption class="visually-hidden">Findings of this check</caption>
<thead><tr><th scope="col">Status</th><th scope="col">Resource</th><th scope="col">Details</th></tr></thead>
<tbody>
${rows.map(findingRow)}</tbody>
</table>
${checkFacts(check, scan)}
</details>
`;
}

/** The compliance sections of a check, and the frameworks in which it fails because of a less strict limit. */
function complianceOfCheck(id: string, frameworks: readonly ReportFramework[]) {
  const requirements: string[] = [];
  const failing: number[] = [];
  const names: string[] = [];
  const notes: Markup[] = [];
  for (const [at, { result, name, sections }] of frameworks.entries()) {
    const matchingSections = sections.filter(({ findings }) => findings.some(({ check }) => check.id === id));
    if (matchingSections.length === 0) continue;
    requirements.push(String(at), ...matchingSections.map((section) => section.id));
    const reason = result.lessStrictLimits.get(id);
    if (reason === undefined) continue;
    failing.push(at);
    names.push(name);
    notes.push(html`<p class="limit"><span class="badge fail">Fail</span> <span>${name}: ${reason}</span></p>
`);
  }
  return { requirements, failing, names, notes };
}

function findingRow(finding: Finding): Markup {
  const { verdict, muted } = finding;
  const status = resultStatus(finding);
  const label = muted ? `Muted (${RESULT_STATUS_TITLES[verdict.status]})` : RESULT_STATUS_TITLES[status];
  return html`<tr data-status="${status}"><td><span class="badge ${status.toLowerCase()}">${label}</span></td><td><bdi>${verdict.resource.name}</bdi><br><code><bdi>${verdict.resource.id}</bdi></code></td><td>${verdict.detail}</td></tr>
`;
}

function rank(finding: Finding): number {
  return RESULT_STATUSES.indexOf(resultStatus(finding));
}

/**
 * Sort key: failed checks first, then checks whose requirement fails because of a less strict limit. Within each group,
 * checks are sorted by severity.
 */
function urgency(members: readonly Finding[], lessStrict: ReadonlySet<string>): number {
  const { failed, manual, passed } = countFindings(members);
  const { id, severity } = members[0]?.check ?? { id: '', severity: 'informational' };
  const group = failed > 0 ? 0 : lessStrict.has(id) ? 1 : manual > 0 ? 2 : passed > 0 ? 3 : 4;
  return group * SEVERITIES.length + SEVERITIES.indexOf(severity);
}

/** The metadata of a check, including its requirements. */
function checkFacts(check: CheckMetadata, scan: ScanInfo): Markup {
  const dialect = DIALECTS[scan.provider];
  const others = complianceOf(check, dialect).filter(({ framework }) => framework !== STIG);
  return html`<dl class="texts">
<div><dt>Remediation</dt><dd>${steps(check.remediation)}</dd></div>
<div><dt>Description</dt><dd>${check.description}</dd></div>
<div><dt>Risk</dt><dd>${check.risk}</dd></div>
${check.notes === '' ? '' : html`<div><dt>Notes</dt><dd>${check.notes}</dd></div>`}
<div><dt>STIG</dt><dd>${stigId(check, dialect)}, ${check.stig.group}, ${check.stig.rule}, ${stigSection(check)}, ${controlIds(check).join(', ')}</dd></div>
${others.map(
  ({ framework, requirements }) =>
    html`<div><dt>${framework.title}</dt><dd>${requirements.map(({ section }) => section).join(', ')}</dd></div>
`,
)}<div><dt>Check ID</dt><dd><code>${check.id}</code></dd></div>
${check.references.length === 0 ? '' : html`<div><dt>References</dt><dd><ul>${check.references.map(reference)}</ul></dd></div>`}
</dl>`;
}

/** Converts numbered steps (`1. Open the console. 2. Save.`) to a list. */
function steps(text: string): Markup {
  const parts = text.split(/ (?=\d+\. )/);
  const isNumbered = parts.length > 1 && parts.every((part, at) => part.startsWith(`${at + 1}. `));
  if (!isNumbered) return html`${text}`;
  return html`<ol>${parts.map((part, at) => html`<li>${part.slice(`${at + 1}. `.length)}</li>`)}</ol>`;
}

/** Creates links only for http and https URLs, not for `javascript:` URLs. */
function reference(url: string): Markup {
  if (!/^https?:\/\//i.test(url)) return html`<li>${url}</li>`;
  return html`<li><a href="${url}" rel="noopener noreferrer">${url}</a></li>`;
}
