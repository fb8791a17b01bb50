import type { Finding, ScanInfo } from '../checks/finding.ts';
import type { ComplianceResult } from '../compliance/compliance-results.ts';
import type { Framework, Requirement } from '../compliance/framework.ts';
import { DIALECTS } from '../directory/dialect.ts';
import { type CsvColumns, csvFlag, csvText } from './csv.ts';

interface Row extends Finding {
  readonly requirement: Requirement;
}

/** Creates a CSV with one line for each requirement of each finding. */
export function toComplianceCsv({ framework, findings }: ComplianceResult, scan: ScanInfo): string {
  const dialect = DIALECTS[scan.provider];
  const rows = findings.flatMap((finding) =>
    framework.requirements(finding.check, dialect).map((requirement) => ({ ...finding, requirement })),
  );
  return csvText(rows, columns(framework, scan));
}

function columns(framework: Framework, scan: ScanInfo): CsvColumns<Row> {
  return {
    PROVIDER: () => scan.provider,
    DESCRIPTION: () => framework.description,
    ORGANIZATIONDOMAIN: () => scan.orgDomain,
    ASSESSMENTDATE: () => scan.startedAt.toISOString(),
    REQUIREMENTS_ID: ({ requirement }) => requirement.id,
    REQUIREMENTS_NAME: ({ requirement }) => requirement.name,
    REQUIREMENTS_DESCRIPTION: ({ requirement }) => requirement.description,
    ...Object.fromEntries(
      framework.attributes.map((attribute) => [
        `REQUIREMENTS_ATTRIBUTES_${attribute}`,
        ({ requirement }: Row) => requirement.attributes[attribute] ?? '',
      ]),
    ),
    STATUS: ({ verdict }) => verdict.status,
    STATUSEXTENDED: ({ verdict }) => verdict.detail,
    RESOURCEID: ({ verdict }) => verdict.resource.id,
    RESOURCENAME: ({ verdict }) => verdict.resource.name,
    CHECKID: ({ check }) => check.id,
    MUTED: ({ muted }) => csvFlag(muted),
    FRAMEWORK: () => framework.name(DIALECTS[scan.provider]),
    NAME: () => framework.title,
  };
}
