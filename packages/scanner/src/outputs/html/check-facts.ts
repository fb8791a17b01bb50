import type { CheckMetadata } from '../../checks/check.ts';
import { complianceOf } from '../../compliance/all-frameworks.ts';
import { controlIds, STIG, stigId, stigSection } from '../../compliance/stig.ts';
import { DIALECTS } from '../../directory/dialect.ts';
import type { ScanInfo } from '../../finding.ts';
import { html, type Markup } from './markup.ts';

/** The metadata of a check, including its requirements. */
export function checkFacts(check: CheckMetadata, scan: ScanInfo): Markup {
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
