import { SEVERITIES, SEVERITY_TITLES } from '../../checks/severity-levels.ts';
import type { Finding } from '../../finding.ts';
import { groupsByName, standing } from '../count-findings.ts';
import { html, type Markup } from './markup.ts';
import { STANDING_TITLES, STANDINGS } from './standings.ts';

/** The form that narrows the list; the script shows it, because without one it would do nothing. */
export function filters(findings: readonly Finding[]): Markup {
  const services = groupsByName(findings, ({ check }) => check.service).map(([service]) => service);
  const present = new Set<string>(findings.map(standing));
  const severities = new Set<string>(findings.map(({ check }) => check.severity));
  return html`<form id="filters" role="search" aria-label="Filter the findings" hidden>
<p><label for="search">Search</label> <input id="search" type="search" autocomplete="off" spellcheck="false" placeholder="Title, resource, text, STIG id"></p>
${choices(
  'Status',
  'status',
  STANDINGS.filter((value) => present.has(value)).map((value) => [value, STANDING_TITLES[value]]),
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
