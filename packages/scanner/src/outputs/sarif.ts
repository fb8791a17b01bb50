import { createHash } from 'node:crypto';
import { type CheckMetadata, SEVERITY_TITLES, type Severity, type Status } from '../checks/check.ts';
import type { Finding, ScanInfo } from '../checks/finding.ts';
import { complianceOf } from '../compliance/all-frameworks.ts';
import { STIG } from '../compliance/stig.ts';
import { DIALECTS, type Dialect } from '../directory/dialect.ts';
import { findingUids } from './finding-uids.ts';

const LEVELS = {
  critical: 'error',
  high: 'error',
  medium: 'warning',
  low: 'note',
  informational: 'note',
} as const satisfies Record<Severity, string>;
/** The score that code scanning services sort by, similar to a CVSS score. */
const SECURITY_SEVERITIES = {
  critical: '9.5',
  high: '8.0',
  medium: '5.5',
  low: '3.0',
  informational: '0.0',
} as const satisfies Record<Severity, string>;
const SARIF_OUTCOMES = { PASS: 'pass', FAIL: 'fail', MANUAL: 'review' } as const satisfies Record<
  Status,
  string
>;

/** Creates a SARIF 2.1.0 log with one run. The rules are the checks with findings. */
export function toSarif(findings: readonly Finding[], scan: ScanInfo): string {
  const checks = [...new Map(findings.map(({ check }) => [check.id, check])).values()];
  const ruleIndexes = new Map(checks.map(({ id }, at) => [id, at]));
  const uids = findingUids(findings, scan);
  const log = {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: 'Sluice Scanner',
            organization: 'Sluice',
            version: scan.scannerVersion,
            rules: checks.map((check) => rule(check, scan)),
          },
        },
        automationDetails: { id: `${scan.provider}/${scan.orgDomain}/`, guid: scan.scanId },
        invocations: [{ executionSuccessful: true, startTimeUtc: scan.startedAt.toISOString() }],
        results: findings.map((finding, at) => ({
          ruleId: finding.check.id,
          ruleIndex: ruleIndexes.get(finding.check.id),
          ...result(finding, uids[at] ?? '', scan),
        })),
      },
    ],
  };
  return `${JSON.stringify(log, null, 1)}\n`;
}

function rule(check: CheckMetadata, scan: ScanInfo) {
  const [helpUri] = check.references;
  return {
    id: check.id,
    shortDescription: { text: check.title },
    fullDescription: { text: check.description },
    help: { text: helpText(check) },
    ...(helpUri !== undefined && { helpUri }),
    defaultConfiguration: { level: LEVELS[check.severity] },
    properties: {
      tags: [
        'security',
        check.service,
        check.category,
        check.stig.group,
        check.stig.rule,
        ...requirementTags(check, DIALECTS[scan.provider]),
      ],
      'security-severity': SECURITY_SEVERITIES[check.severity],
      severity: SEVERITY_TITLES[check.severity],
    },
  };
}

/**
 * Requirement tags such as `DIRECTORY-APP-000020` or `CIS-Controls-8.1/4.3`. The framework prefix is needed because
 * `4.3` alone would be ambiguous.
 */
function requirementTags(check: CheckMetadata, dialect: Dialect): readonly string[] {
  return complianceOf(check, dialect).flatMap(({ framework, name, requirements }) =>
    requirements.map(({ id }) => (framework === STIG ? id : `${name}/${id}`)),
  );
}

function helpText({ risk, remediation, notes, references }: CheckMetadata): string {
  return [`Risk: ${risk}`, `Remediation: ${remediation}`, notes, ...references]
    .filter((text) => text !== '')
    .join('\n\n');
}

function result({ check, verdict, muted }: Finding, uid: string, scan: ScanInfo) {
  const { id, name } = verdict.resource;
  const path = [scan.orgDomain, check.service, id];
  return {
    kind: SARIF_OUTCOMES[verdict.status],
    // SARIF 2.1.0, section 3.27.10: the level is `none` unless the kind is `fail`.
    level: verdict.status === 'FAIL' ? LEVELS[check.severity] : 'none',
    message: { text: verdict.detail },
    locations: [
      {
        // Findings do not concern a file, but code scanning services reject results without a file.
        physicalLocation: {
          artifactLocation: { uri: path.map((part) => encodeURIComponent(part.toWellFormed())).join('/') },
        },
        logicalLocations: [{ name, fullyQualifiedName: path.join('/'), kind: 'resource' }],
      },
    ],
    partialFingerprints: { 'sluiceFinding/v1': createHash('sha256').update(uid).digest('hex') },
    suppressions: muted
      ? [{ kind: 'external', status: 'accepted', justification: 'Muted by the mutelist' }]
      : [],
  };
}
