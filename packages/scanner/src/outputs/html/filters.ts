import { SEVERITIES, SEVERITY_TITLES } from '../../checks/check.ts';
import type { Finding } from '../../checks/finding.ts';
import { groupsByName, resultStatus } from '../count-findings.ts';
import type { ReportFramework } from './compliance.ts';
import { html, type Markup } from './markup.ts';
import { RESULT_STATUS_TITLES, RESULT_STATUSES } from './summary.ts';

/** The filter form. The script shows the hidden form, because the form does not work without the script. */
export function filters(findings: readonly Finding[], frameworks: readonly ReportFramework[]): Markup {
  const services = groupsByName(findings, ({ check }) => check.service).map(([service]) => service);
  // A requirement can fail even if all of its findings pass.
  const results = frameworks.flatMap(({ result }) => result.findings);
  const present = new Set<string>([...findings, ...results].map(resultStatus));
  const severities = new Set<string>(findings.map(({ check }) => check.severity));
  return html`<form id="filters" role="search" aria-label="Filter findings" hidden>
<p class="field"><label for="search">Search</label> <input id="search" type="search" autocomplete="off" spellcheck="false" placeholder="Title, resource, text or STIG ID"></p>
${choices(
  'Status',
  'status',
  RESULT_STATUSES.filter((value) => present.has(value)).map((value) => [value, RESULT_STATUS_TITLES[value]]),
)}
${choices(
  'Severity',
  'severity',
  SEVERITIES.filter((value) => severities.has(value)).map((value) => [value, SEVERITY_TITLES[value]]),
)}
${choices(
  'Service',
  'service',
  services.map((service) => [service, service]),
)}
${requirements(frameworks)}
<p class="actions"><button type="button" id="expand">Expand all</button> <button type="button" id="collapse">Collapse all</button> <button type="reset">Reset filters</button> <output id="shown" aria-live="polite"></output></p>
</form>`;
}

function choices(
  legend: string,
  name: string,
  options: readonly (readonly [value: string, title: string])[],
): Markup {
  const boxes = options.map(
    ([value, title]) =>
      html`<label><input type="checkbox" name="${name}" value="${value}" checked> ${title}</label> `,
  );
  return html`<fieldset><legend>${legend}</legend>${boxes}</fieldset>`;
}

/** If a framework or section is selected, the status filter applies to the results of its requirements. */
function requirements(frameworks: readonly ReportFramework[]): Markup {
  if (frameworks.length === 0) return html``;
  const groups = frameworks.map(
    ({ name, sections }, at) =>
      html`<optgroup label="${name}"><option value="${at}">${name}: all</option>${sections.map(
        ({ id, title }) => html`<option value="${id}">${title}</option>`,
      )}</optgroup>`,
  );
  return html`<p class="field"><label for="requirement">Compliance</label> <select id="requirement"><option value="">All findings</option>${groups}</select></p>`;
}
