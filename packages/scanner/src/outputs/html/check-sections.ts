import type { CheckMetadata } from '../../checks/check.ts';
import { SEVERITIES, SEVERITY_TITLES } from '../../checks/severity-levels.ts';
import type { Finding, ScanInfo } from '../../finding.ts';
import { countFindings, groupFindings, standing } from '../count-findings.ts';
import { controlIds, requirementId, requirementSection } from '../requirement.ts';
import { html, type Markup } from './markup.ts';
import { STANDING_TITLES, STANDINGS } from './standings.ts';

/**
 * One section per check that opens and closes, what failed worst first: what the check is about stands in it
 * once, and below it a row for each finding, so that thousands of them stay readable.
 */
export function checkSections(findings: readonly Finding[], scan: ScanInfo): Markup {
  const groups = [...groupFindings(findings, ({ check }) => check.id).values()].sort(byUrgency);
  return html`<section aria-labelledby="findings">
<h2 id="findings" tabindex="-1">Findings</h2>
${findings.length === 0 ? html`<p>The scan has no findings.</p>` : ''}
<p id="none" hidden>No finding matches the filters.</p>
${groups.map((members) => checkSection(members, scan))}
</section>`;
}

function checkSection(members: readonly Finding[], scan: ScanInfo): Markup {
  const [first] = members;
  if (first === undefined) return html``;
  const { check } = first;
  const counts = STANDINGS.map((value) => ({
    value,
    count: members.filter((member) => standing(member) === value).length,
  })).filter(({ count }) => count > 0);
  const rows = members.toSorted((a, b) => rank(a) - rank(b));
  return html`<details class="check" data-severity="${check.severity}" data-service="${check.service}">
<summary><h3>${check.title}</h3> <span class="badge ${check.severity}">${SEVERITY_TITLES[check.severity]}</span> ${counts.map(
    ({ value, count }) =>
      html`<span class="badge ${value.toLowerCase()}">${STANDING_TITLES[value]} ${count}</span> `,
  )}<span class="about">${check.service} · ${requirementId(check, scan)} · ${check.stig.group}</span></summary>
${checkFacts(check, scan)}
<div class="scroll" role="region" tabindex="0" aria-label="Findings of this check">
<table class="findings">
<thead><tr><th scope="col">Status</th><th scope="col">Resource</th><th scope="col">What was seen</th></tr></thead>
<tbody>
${rows.map(findingRow)}</tbody>
</table>
</div>
</details>
`;
}

function checkFacts(check: CheckMetadata, scan: ScanInfo): Markup {
  return html`<dl class="texts">
<dt>What it checks</dt><dd>${check.description}</dd>
<dt>Risk</dt><dd>${check.risk}</dd>
<dt>Remediation</dt><dd>${check.remediation}</dd>
${check.notes === '' ? '' : html`<dt>Notes</dt><dd>${check.notes}</dd>`}
<dt>STIG</dt><dd>${requirementId(check, scan)}, ${check.stig.group}, ${check.stig.rule}, ${requirementSection(check)}, ${controlIds(check).join(', ')}</dd>
<dt>Check</dt><dd><code>${check.id}</code></dd>
${check.references.length === 0 ? '' : html`<dt>References</dt><dd><ul>${check.references.map(reference)}</ul></dd>`}
</dl>`;
}

/** Only addresses of the web become links: `javascript:` would be one as well. */
function reference(url: string): Markup {
  if (!/^https?:\/\//i.test(url)) return html`<li>${url}</li>`;
  return html`<li><a href="${url}" rel="noopener noreferrer">${url}</a></li>`;
}

function findingRow(finding: Finding): Markup {
  const { verdict, muted } = finding;
  const as = standing(finding);
  const words = muted ? `Muted (${STANDING_TITLES[verdict.status]})` : STANDING_TITLES[as];
  return html`<tr data-status="${as}"><td><span class="badge ${as.toLowerCase()}">${words}</span></td><td><bdi>${verdict.resource.name}</bdi><br><code><bdi>${verdict.resource.id}</bdi></code></td><td>${verdict.detail}</td></tr>
`;
}

function rank(finding: Finding): number {
  return STANDINGS.indexOf(standing(finding));
}

/** Checks with fails first, then by severity; those that are alike stay in the order of the scan. */
function byUrgency(a: readonly Finding[], b: readonly Finding[]): number {
  return urgency(a) - urgency(b);
}

function urgency(members: readonly Finding[]): number {
  const { failed, manual, passed } = countFindings(members);
  const group = failed > 0 ? 0 : manual > 0 ? 1 : passed > 0 ? 2 : 3;
  const severity = members[0]?.check.severity ?? 'informational';
  return group * SEVERITIES.length + SEVERITIES.indexOf(severity);
}
