import { create } from 'xmlbuilder2';
import type { CheckMetadata } from '../checks/check.ts';
import type { Finding, ScanInfo } from '../checks/finding.ts';
import { complianceOf } from '../compliance/all-frameworks.ts';
import { STIG, stigId } from '../compliance/stig.ts';
import { DIALECTS } from '../directory/dialect.ts';
import { visibleText } from '../terminal/formatting.ts';
import { countFindings, groupsByName } from './count-findings.ts';

type Element = ReturnType<typeof create>;

/**
 * Creates JUnit XML with one test suite per service and one test case per finding. Manual and muted findings are
 * skipped test cases. Like the exit code, the report therefore fails a build only because of an unmuted FAIL.
 */
export function toJunit(findings: readonly Finding[], scan: ScanInfo): string {
  const root = create({ version: '1.0', encoding: 'UTF-8' }).ele('testsuites', {
    name: `Sluice Scanner ${xmlAttribute(scan.orgDomain)}`,
    ...totals(findings),
  });
  for (const [service, members] of groupsByName(findings, ({ check }) => check.service)) {
    const suite = root.ele('testsuite', {
      name: service,
      ...totals(members),
      timestamp: scan.startedAt.toISOString(),
      hostname: xmlAttribute(scan.orgDomain),
    });
    for (const finding of members) addCase(suite, finding, scan);
  }
  return `${root.end({ prettyPrint: true })}\n`;
}

function totals(findings: readonly Finding[]) {
  const { total, failed, manual, muted } = countFindings(findings);
  return { tests: total, failures: failed, errors: 0, skipped: manual + muted, time: 0 };
}

function addCase(suite: Element, { check, verdict, muted }: Finding, scan: ScanInfo): void {
  const { status, resource } = verdict;
  const detail = xmlAttribute(verdict.detail);
  const testCase = suite.ele('testcase', {
    classname: `${check.service}.${check.id}`,
    name: xmlAttribute(`${check.title} [${resource.name}, ${resource.id}]`),
    time: 0,
  });
  if (muted) {
    testCase.ele('skipped', { message: `Muted (${status}): ${detail}` });
  } else if (status === 'MANUAL') {
    testCase.ele('skipped', { message: `Manual: ${detail}` });
  } else if (status === 'FAIL') {
    testCase.ele('failure', { message: detail, type: check.severity }).txt(xmlText(failureText(check, scan)));
  }
}

function failureText(check: CheckMetadata, scan: ScanInfo): string {
  const dialect = DIALECTS[scan.provider];
  return [
    `Risk: ${check.risk}`,
    `Remediation: ${check.remediation}`,
    `STIG: ${stigId(check, dialect)}, ${check.stig.group}, ${check.stig.rule}`,
    ...complianceOf(check, dialect)
      .filter(({ framework }) => framework !== STIG)
      .map(
        ({ framework, requirements }) => `${framework.title}: ${requirements.map(({ id }) => id).join(', ')}`,
      ),
    ...check.references,
  ].join('\n');
}

/**
 * Escapes text for the XML writer, which treats `&word;` and `&#1;` as entities even if they are literal text. Carriage
 * returns are encoded because XML parsers convert them to line feeds.
 */
function xmlText(text: string): string {
  return visibleText(text).replaceAll('&', '&amp;').replaceAll('\r', '&#13;');
}

/** Escapes an attribute value, in which XML parsers convert tabs and line feeds to spaces (XML 1.0, section 3.3.3). */
function xmlAttribute(text: string): string {
  return xmlText(text).replaceAll('\t', '&#9;').replaceAll('\n', '&#10;');
}
