import { SEVERITIES, SEVERITY_TITLES } from '../../checks/severity-levels.ts';
import type { Finding } from '../../finding.ts';
import { countFindings, type FindingCounts, groupsByName, percentage } from '../count-findings.ts';
import { html, type Markup } from './markup.ts';

/** The counts in large, then a table of services: fails by severity, and the rest by status. */
export function summary(findings: readonly Finding[]): Markup {
  const all = countFindings(findings);
  const services = groupsByName(findings, ({ check }) => check.service);
  return html`<section aria-labelledby="summary-title">
<h2 id="summary-title">Summary</h2>
<ul class="counts">
${countCard('all', all.total, 'findings', '')}
${countCard('fail', all.failed, 'failed', percentage(all.failed, all.total))}
${countCard('pass', all.passed, 'passed', percentage(all.passed, all.total))}
${countCard('manual', all.manual, 'to verify by hand', percentage(all.manual, all.total))}
${countCard('muted', all.muted, 'muted', percentage(all.muted, all.total))}
</ul>
<div class="scroll" role="region" tabindex="0" aria-labelledby="services-caption">
<table class="services">
<caption id="services-caption">Findings by service. Fails are counted by severity; muted findings stand apart.</caption>
<thead><tr><th scope="col">Service</th>${SEVERITIES.map(
    (severity) => html`<th scope="col">${SEVERITY_TITLES[severity]}</th>`,
  )}<th scope="col">Failed</th><th scope="col">Passed</th><th scope="col">Manual</th><th scope="col">Muted</th></tr></thead>
<tbody>
${services.map(([service, members]) => countRow(service, countFindings(members)))}
</tbody>
<tfoot>${countRow('All', all)}</tfoot>
</table>
</div>
</section>`;
}

function countCard(kind: string, count: number, words: string, share: string): Markup {
  return html`<li class="card ${kind}"><strong>${count}</strong> ${words} <small>${share}</small></li>`;
}

function countRow(title: string, counts: FindingCounts): Markup {
  const { failed, passed, manual, muted } = counts;
  const cells = [
    ...SEVERITIES.map((severity) => counts.failedBySeverity[severity]),
    failed,
    passed,
    manual,
    muted,
  ];
  return html`<tr><th scope="row">${title}</th>${cells.map((count) => html`<td${count === 0 ? html` class="zero"` : ''}>${count}</td>`)}</tr>
`;
}
