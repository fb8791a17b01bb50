import type { Finding, ScanInfo } from '../finding.ts';
import { type CsvColumns, csvFlag, csvList, csvText } from './csv-text.ts';
import { controlIds, requirementId, requirementSection } from './requirement.ts';

/** One line per finding and requirement of the STIG; each check stands for one requirement. */
export function toComplianceCsv(findings: readonly Finding[], scan: ScanInfo): string {
  return csvText(findings, columns(scan));
}

function columns(scan: ScanInfo): CsvColumns<Finding> {
  return {
    PROVIDER: () => scan.provider,
    DESCRIPTION: () => 'DISA STIG for identity as a service (IDaaS), version 1, release 2',
    ORGANIZATIONDOMAIN: () => scan.orgDomain,
    ASSESSMENTDATE: () => scan.startedAt.toISOString(),
    REQUIREMENTS_ID: ({ check }) => requirementId(check, scan),
    REQUIREMENTS_NAME: ({ check }) => check.title,
    REQUIREMENTS_DESCRIPTION: ({ check }) => check.description,
    REQUIREMENTS_ATTRIBUTES_SECTION: ({ check }) => requirementSection(check),
    REQUIREMENTS_ATTRIBUTES_SEVERITY: ({ check }) => (check.stig.category === 'CAT I' ? 'high' : 'medium'),
    REQUIREMENTS_ATTRIBUTES_RULEID: ({ check }) => check.stig.rule,
    REQUIREMENTS_ATTRIBUTES_STIGID: ({ check }) => requirementId(check, scan),
    REQUIREMENTS_ATTRIBUTES_GROUPID: ({ check }) => check.stig.group,
    REQUIREMENTS_ATTRIBUTES_CCI: ({ check }) => csvList(controlIds(check)),
    REQUIREMENTS_ATTRIBUTES_CHECKTEXT: ({ check }) => `${check.description} ${check.notes}`.trim(),
    REQUIREMENTS_ATTRIBUTES_FIXTEXT: ({ check }) => check.remediation,
    STATUS: ({ verdict }) => verdict.status,
    STATUSEXTENDED: ({ verdict }) => verdict.detail,
    RESOURCEID: ({ verdict }) => verdict.resource.id,
    RESOURCENAME: ({ verdict }) => verdict.resource.name,
    CHECKID: ({ check }) => check.id,
    MUTED: ({ muted }) => csvFlag(muted),
    FRAMEWORK: () => scan.framework,
    NAME: () => 'DISA IDaaS STIG V1R2',
  };
}
