import { SEVERITIES, SEVERITY_TITLES } from '../../checks/check.ts';
import type { Finding } from '../../checks/finding.ts';
import {
  countFindings,
  type FindingCounts,
  groupsByName,
  percentage,
  type ResultStatus,
} from '../count-findings.ts';
import { html, type Markup } from './markup.ts';

/** All result statuses, in display order. */
export const RESULT_STATUSES = ['FAIL', 'MANUAL', 'PASS', 'MUTED'] as const satisfies readonly ResultStatus[];

export const RESULT_STATUS_TITLES = {
  FAIL: 'Fail',
  MANUAL: 'Manual',
  PASS: 'Pass',
  MUTED: 'Muted',
} as const satisfies Record<ResultStatus, string>;

/** The filters that show the counted findings; a missing filter shows everything. */
export interface CountFilter {
  readonly status?: string;
  readonly severity?: string;
  readonly service?: string;
  /** The ID of a section, or of a framework with all its sections. */
  readonly requirement?: string;
}

/** The finding counts by status, as cards and as a bar. */
export function summary(findings: readonly Finding[]): Markup {
  const all = countFindings(findings);
  return html`<section aria-labelledby="summary-title">
<h2 id="summary-title">Summary</h2>
<ul class="counts">
${countCard('all', all.total, 'findings', '', {})}
${countCard('fail', all.failed, 'failed', percentage(all.failed, all.total), { status: 'FAIL' })}
${countCard('manual', all.manual, 'manual', percentage(all.manual, all.total), { status: 'MANUAL' })}
${countCard('pass', all.passed, 'passed', percentage(all.passed, all.total), { status: 'PASS' })}
${countCard('muted', all.muted, 'muted', percentage(all.muted, all.total), { status: 'MUTED' })}
</ul>
${shareBar(all)}
</section>`;
}

function countCard(
  className: string,
  count: number,
  label: string,
  share: string,
  filter: CountFilter,
): Markup {
  const data = count === 0 ? '' : html` data-filter="${filterQuery(filter)}"`;
  return html`<li class="card ${className}"${data}><strong>${count}</strong> ${label} <small>${share}</small></li>`;
}

/** Uses SVG, because the Content Security Policy does not allow style attributes. */
function shareBar({ total, failed, manual, passed, muted }: FindingCounts): Markup {
  if (total === 0) return html``;
  const parts = [
    ['fail', failed],
    ['manual', manual],
    ['pass', passed],
    ['muted', muted],
  ] as const;
  let before = 0;
  const bars = parts.map(([status, count]) => {
    const bar = html`<rect class="${status}" x="${percentage(before, total)}" width="${percentage(count, total)}" height="100%"/>`;
    before += count;
    return bar;
  });
  return html`<svg class="bar" width="100%" height="10" aria-hidden="true">${bars}</svg>`;
}

/** A table with a row per service: the counts of failed findings by severity, and of all findings by status. */
export function servicesTable(findings: readonly Finding[]): Markup {
  const services = groupsByName(findings, ({ check }) => check.service);
  return html`<section aria-labelledby="services-title">
<h2 id="services-title">Services</h2>
<p class="about-table" id="services-about">Findings by service. Severity columns count failed findings. Muted findings are counted only as muted.</p>
<div class="scroll" role="region" tabindex="0" aria-labelledby="services-about">
<table class="numbers services" aria-labelledby="services-title" aria-describedby="services-about">
<thead><tr><th scope="col">Service</th>${SEVERITIES.map(
    (severity) => html`<th scope="col">${SEVERITY_TITLES[severity]}</th>`,
  )}<th scope="col">Failed</th><th scope="col">Passed</th><th scope="col">Manual</th><th scope="col">Muted</th></tr></thead>
<tbody>
${services.map(([service, members]) => countRow(service, countFindings(members), { service }))}</tbody>
<tfoot>
${countRow('All', countFindings(findings), {})}</tfoot>
</table>
</div>
</section>`;
}

function countRow(title: string, counts: FindingCounts, filter: CountFilter): Markup {
  const { failed, passed, manual, muted } = counts;
  return html`<tr><th scope="row">${title}</th>${SEVERITIES.map((severity) =>
    countCell(counts.failedBySeverity[severity], { ...filter, status: 'FAIL', severity }),
  )}${countCell(failed, { ...filter, status: 'FAIL' })}${countCell(passed, { ...filter, status: 'PASS' })}${countCell(manual, { ...filter, status: 'MANUAL' })}${countCell(muted, { ...filter, status: 'MUTED' })}</tr>
`;
}

/** A table cell with a count. The script turns it into a button that filters the list, unless the count is 0. */
export function countCell(count: number, filter: CountFilter): Markup {
  return count === 0
    ? html`<td class="zero">0</td>`
    : html`<td data-filter="${filterQuery(filter)}">${count}</td>`;
}

/** The filter in the format that the script reads, such as `status=FAIL&service=signon`. */
function filterQuery(filter: CountFilter): string {
  return new URLSearchParams({ ...filter }).toString();
}
