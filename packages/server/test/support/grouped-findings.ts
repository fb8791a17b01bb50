import { record } from './records.ts';

/** A finding with the properties by which findings are grouped and counted. */
export interface Finding {
  readonly uid: string;
  readonly check: string;
  readonly account: string;
  readonly severity: 'low' | 'high' | 'critical';
  readonly status: 'PASS' | 'FAIL' | 'MANUAL';
  readonly muted: boolean;
  readonly service: string | null;
  readonly region: string | null;
  /** Uids of the resources. */
  readonly resources: readonly string[];
  readonly time: number;
}

const SEVERITIES = { low: 2, high: 4, critical: 5 } as const;
const START = Date.UTC(2026, 4, 2);
const DAY = 24 * 60 * 60 * 1000;

/** Findings whose properties vary independently, as of the latest upload. */
export const FINDINGS: readonly Finding[] = Array.from({ length: 180 }, (_, at) => {
  const resource = at % 11;
  const region = ['eu-west-1', 'us-east-1', null][at % 3] ?? null;
  return {
    uid: `finding-${at}`,
    check: `check_${at % 5}`,
    account: `account-${at % 4 === 3 ? 2 : at % 4}`,
    severity: (['low', 'high', 'critical'] as const)[(at % 7) % 3] ?? 'low',
    status: (['FAIL', 'PASS', 'FAIL', 'MANUAL'] as const)[(at % 13) % 4] ?? 'FAIL',
    muted: at % 6 === 0,
    service: ['s3', 'iam', 'ec2', null][(at % 17) % 4] ?? null,
    region,
    resources: resource === 0 ? [] : resource === 1 ? ['r-1', 'r-2'] : [`r-${resource}`],
    time: START + ((at * 37) % 180) * 1000,
  };
});

/** Some findings are in two uploads. Half of these had another status in the first one. */
export const isInBoth = (at: number) => at % 5 === 1 || at % 5 === 2;
export const FIRST_UPLOAD = FINDINGS.map((finding, at) => {
  if (!isInBoth(at)) return finding;
  const earlier = { ...finding, time: finding.time - DAY };
  return at % 5 === 1
    ? earlier
    : ({ ...earlier, status: finding.status === 'FAIL' ? 'PASS' : 'FAIL' } as const);
});

export function recordOf(finding: Finding) {
  const { uid, check, account, severity, status, muted, service, region, resources, time } = finding;
  return record({
    time: time / 1000,
    severity_id: SEVERITIES[severity],
    severity: severity,
    status_code: status,
    status_id: muted ? 3 : 1,
    status: muted ? 'Suppressed' : 'New',
    metadata: { event_code: check },
    finding_info: { uid, title: `Title of ${check}` },
    cloud: { provider: 'aws', region, account: { uid: account } },
    resources: resources.map((resource) => ({
      uid: `${account}:${resource}`,
      name: `Name ${resource}`,
      type: 'Bucket',
      region,
      group: { name: service },
    })),
  });
}
