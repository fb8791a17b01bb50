import { createHash } from 'node:crypto';
import type { Finding, ScanInfo } from '../../checks/finding.ts';
import type { ComplianceResult } from '../../compliance/compliance-results.ts';
import { DIALECTS } from '../../directory/dialect.ts';
import { checkSections } from './check-sections.ts';
import { complianceTables, reportFrameworks } from './compliance.ts';
import { filters } from './filters.ts';
import { html, Markup } from './markup.ts';
import { REPORT_SCRIPT } from './report-script.ts';
import { REPORT_STYLE } from './report-style.ts';
import { servicesTable, summary } from './summary.ts';

/**
 * Creates the report as a self-contained HTML file. Its Content Security Policy identifies the embedded style and
 * script by their hashes and allows nothing else. Without JavaScript, only the filters are missing.
 */
export function toHtml(
  findings: readonly Finding[],
  scan: ScanInfo,
  compliance: readonly ComplianceResult[] = [],
): string {
  const frameworks = reportFrameworks(compliance, DIALECTS[scan.provider]);
  const title = `${DIALECTS[scan.provider].title} scan of ${scan.orgDomain}`;
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${contentSecurityPolicy()}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>${title}</title>
<style>${new Markup(REPORT_STYLE)}</style>
</head>
<body>
<a class="skip" href="#findings">Skip to findings</a>
<header>
<h1>${title}</h1>
<dl class="facts">
<div><dt>Organization</dt><dd>${scan.orgDomain}</dd></div>
<div><dt>Scanned at</dt><dd><time datetime="${scan.startedAt.toISOString()}">${readableTime(scan.startedAt)}</time></dd></div>
<div><dt>Scanner</dt><dd>Sluice Scanner ${scan.scannerVersion}</dd></div>
${frameworks.length === 0 ? '' : html`<div><dt>Frameworks</dt><dd>${frameworks.map(({ name }) => name).join(', ')}</dd></div>`}
<div><dt>Scan ID</dt><dd><code>${scan.scanId}</code></dd></div>
</dl>
</header>
<main>
${summary(findings)}
${complianceTables(frameworks)}
${servicesTable(findings)}
${filters(findings, frameworks)}
${checkSections(findings, scan, frameworks)}
</main>
<script>${new Markup(REPORT_SCRIPT)}</script>
</body>
</html>
`.text;
}

/** Allows inline style and script by hash (CSP level 3, sections 6.1 and 6.2). */
function contentSecurityPolicy(): string {
  const hash = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
  return [
    "default-src 'none'",
    `style-src ${hash(REPORT_STYLE)}`,
    `script-src ${hash(REPORT_SCRIPT)}`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
}

/** Formats a time, such as `2026-11-21 08:53:37 UTC`. */
function readableTime(time: Date): string {
  return `${time.toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}
