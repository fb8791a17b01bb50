import {
  type CheckMetadata,
  type EvaluatedResource,
  SEVERITY_TITLES,
  type Severity,
} from '../checks/check.ts';
import type { Finding, ScanInfo } from '../checks/finding.ts';
import { complianceOf } from '../compliance/all-frameworks.ts';
import { STIG, stigId } from '../compliance/stig.ts';
import { DIALECTS, type Dialect } from '../directory/dialect.ts';
import { findingUids } from './finding-uids.ts';

const OCSF_VERSION = '1.5.0';
/** The directory has no regions. */
const REGION = 'global';
const SEVERITY_IDS = {
  critical: 5,
  high: 4,
  medium: 3,
  low: 2,
  informational: 1,
} as const satisfies Record<Severity, number>;

/** `type` and `type_id` of an analytic (OCSF 1.5, object `analytic`). */
const RULE = { type: 'Rule', type_id: 1 } as const;

/**
 * Creates a JSON array of OCSF 1.5 Detection Findings (class 2004), one record per line (docs/specification.md,
 * "Detection Finding record"). Without findings, the array is empty.
 */
export function toOcsf(findings: readonly Finding[], scan: ScanInfo): string {
  if (findings.length === 0) return '[]\n';
  const uids = findingUids(findings, scan);
  const lines = findings.map((finding, at) => JSON.stringify(ocsfRecord(finding, uids[at] ?? '', scan)));
  return `[\n${lines.join(',\n')}\n]\n`;
}

/** A time, both in seconds since the Unix epoch and in ISO 8601 format. */
function times(time: Date): { readonly seconds: number; readonly text: string } {
  return { seconds: Math.floor(time.getTime() / 1000), text: time.toISOString() };
}

function ocsfRecord({ check, verdict, muted }: Finding, uid: string, scan: ScanInfo) {
  const { seconds, text } = times(scan.startedAt);
  const dialect = DIALECTS[scan.provider];
  return {
    message: verdict.detail,
    metadata: {
      event_code: check.id,
      product: {
        name: 'Sluice Scanner',
        uid: 'sluice-scanner',
        vendor_name: 'Sluice',
        version: scan.scannerVersion,
      },
      profiles: ['cloud', 'datetime'],
      tenant_uid: scan.clientId,
      version: OCSF_VERSION,
    },
    severity_id: SEVERITY_IDS[check.severity],
    severity: SEVERITY_TITLES[check.severity],
    status: muted ? 'Suppressed' : 'New',
    status_code: verdict.status,
    status_detail: verdict.detail,
    status_id: muted ? 3 : 1,
    unmapped: {
      related_url: '',
      categories: [check.category],
      depends_on: [],
      related_to: [],
      additional_urls: [],
      notes: check.notes,
      compliance: complianceIdentifiers(check, dialect),
      scan_id: scan.scanId,
      provider_uid: scan.orgDomain,
      provider: scan.provider,
    },
    activity_name: 'Create',
    activity_id: 1,
    finding_info: {
      analytic: {
        category: check.service,
        name: check.title,
        related_analytics: [stigAnalytic(check, dialect)],
        ...RULE,
        uid: check.id,
      },
      created_time: seconds,
      created_time_dt: text,
      desc: check.description,
      title: check.title,
      types: [],
      uid,
    },
    resources: [
      {
        cloud_partition: partition(scan.orgDomain),
        region: REGION,
        data: { details: '', metadata: resourceMetadata(verdict.resource) },
        group: { name: check.service },
        labels: [],
        name: verdict.resource.name,
        type: 'NotDefined',
        uid: verdict.resource.id,
      },
    ],
    category_name: 'Findings',
    category_uid: 2,
    class_name: 'Detection Finding',
    class_uid: 2004,
    cloud: {
      account: { name: scan.orgDomain, type: 'Other', type_id: 99, uid: scan.orgDomain, labels: [] },
      org: { name: scan.orgDomain, uid: scan.clientId },
      provider: scan.provider,
      region: REGION,
    },
    remediation: { desc: check.remediation, references: check.references },
    risk_details: check.risk,
    time: seconds,
    time_dt: text,
    type_uid: 200401,
    type_name: 'Detection Finding: Create',
  };
}

/**
 * The requirement IDs by framework, such as `{"Directory-IDaaS-STIG-V1R2": ["DIRECTORY-APP-000020", "V-273186"], ...}`.
 */
function complianceIdentifiers(check: CheckMetadata, dialect: Dialect): Record<string, readonly string[]> {
  return Object.fromEntries(
    complianceOf(check, dialect).map(({ name, requirements }) => [
      name,
      requirements.flatMap(({ identifiers }) => identifiers),
    ]),
  );
}

/** The STIG rule that the check evaluates, identified by its group ID (`V-` number). */
function stigAnalytic(check: CheckMetadata, dialect: Dialect) {
  return {
    category: STIG.name(dialect),
    desc: check.stig.rule,
    name: stigId(check, dialect),
    ...RULE,
    uid: check.stig.group,
  };
}

/**
 * The evaluated object, with the fields that all resources share (docs/specification.md, "Detection Finding record").
 */
function resourceMetadata({ name, data }: EvaluatedResource) {
  const { status, type, ...evaluated }: { status?: unknown; type?: unknown } = { ...data };
  return {
    arn: '',
    name,
    status: typeof status === 'string' ? status : '',
    region: REGION,
    findings: [],
    tags: [],
    type: typeof type === 'string' ? type : '',
    ...evaluated,
  };
}

/** The vendor environment of an organization: the domain suffix that all of its organizations share. */
function partition(orgDomain: string): string {
  return /^[^.]+\.(.+\.[a-z]+)$/i.exec(orgDomain)?.[1] ?? orgDomain;
}
