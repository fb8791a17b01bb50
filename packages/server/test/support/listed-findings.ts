import { scanId } from '../../src/ingest/merge/scans.ts';
import type { Client } from './client.ts';
import { record } from './records.ts';
import type { TenantService } from './service.ts';
import { STORED_FINDINGS } from './stored-findings.ts';

const SEVERITIES = {
  unknown: 0,
  informational: 1,
  low: 2,
  medium: 3,
  high: 4,
  critical: 5,
  fatal: 6,
  other: 99,
};
type Severity = keyof typeof SEVERITIES;
/** The severities in the order of lists. */
export const SEVERITY_NAMES: readonly string[] = Object.keys(SEVERITIES);
type Status = 'PASS' | 'FAIL' | 'MANUAL';

/** A finding as expected in lists, derived from the upload rather than from the service. */
export interface ListedFinding {
  readonly id: string;
  readonly provider: string;
  readonly scan: string;
  readonly ingestion: string;
  readonly attributes: {
    readonly uid: string;
    readonly check_id: string;
    readonly check_title: string;
    readonly severity: Severity;
    readonly state: 'open';
    readonly status: Status;
    readonly status_detail: string;
    readonly muted: boolean;
    readonly delta: 'new' | 'changed' | 'unchanged';
    readonly resource: { readonly uid: string; readonly name: string; readonly type: string };
    readonly region: string;
    readonly service: string;
    readonly product: string;
    readonly provider_type: string;
    readonly account: string;
    readonly categories: readonly string[];
    readonly first_seen_at: string;
    readonly last_seen_at: string;
    readonly status_changed_at: string;
    readonly resolved_at: null;
    readonly previous: { readonly status: Status; readonly seen_at: string } | null;
  };
}

export interface SeededFindings {
  /** Expected findings of providers that are not deleted. */
  readonly findings: readonly ListedFinding[];
  /** Expected findings of the account `gone`, whose provider the caller may delete. */
  readonly ofDeletedProvider: readonly ListedFinding[];
  readonly ingestions: readonly [string, string];
}

/** Two providers with the same account, two providers of the same type, and the same check IDs in both types. */
const PROVIDERS = [
  ['aws', 'acc-1'],
  ['azure', 'acc-1'],
  ['aws', 'acc-2'],
  ['aws', 'gone'],
] as const;
const CHECKS = {
  'aws.check_a': { title: 'Buckets are 100% private', categories: ['internet-exposed'] },
  'azure.check_a': { title: 'Vaults are private', categories: ['encryption'] },
  'aws.check_b': { title: 'Logs are kept', categories: ['encryption', 'logging'] },
  'azure.check_b': { title: 'Logs are read', categories: [] },
};
const COUNT = 96;
/** The last second of a day. */
const FIRST_SCAN = Date.UTC(2026, 1, 28, 23, 59, 59);
const SECOND_SCAN = Date.UTC(2026, 2, 10, 23, 59, 59);

/**
 * Uploads two scans of 96 findings for the client, with some findings repeated with the same or a different status.
 * Uploads the second scan for the other tenant as well. Values are chosen so that any two attributes vary
 * independently.
 */
export async function seedFindings(
  service: TenantService,
  client: Client,
  otherClient: Client,
): Promise<SeededFindings> {
  const indexes = Array.from({ length: COUNT }, (_, index) => index);
  const [inFirst, inSecond] = [indexes.filter((i) => i < 72), indexes.filter((i) => i >= 72 || i % 2 === 0)];
  const first = await client.ingest(inFirst.map((i) => uploaded(i, 1)));
  const second = await client.ingest(inSecond.map((i) => uploaded(i, 2)));
  await otherClient.ingest(inSecond.map((i) => uploaded(i, 2)));
  const stored = await service.sql<{ id: string; uid: string; provider_id: string }>(
    `select f.id, f.uid, f.provider_id from ${STORED_FINDINGS} f where f.tenant_id = $1`,
    [service.tenantId],
  );
  const all = indexes.map((i): ListedFinding => {
    const row = stored.find(({ uid }) => uid === `finding-${i}`);
    if (row === undefined) throw new Error(`finding ${i} is not stored`);
    const scan = inSecond.includes(i) ? 2 : 1;
    const ingestion = scan === 2 ? second.id : first.id;
    return {
      id: row.id,
      provider: row.provider_id,
      ingestion,
      scan: scanId(ingestion, row.provider_id, scanUid(i, scan)),
      attributes: attributesOf(i, scan, inFirst.includes(i)),
    };
  });
  return {
    findings: all.filter(({ attributes }) => attributes.account !== 'gone'),
    ofDeletedProvider: all.filter(({ attributes }) => attributes.account === 'gone'),
    ingestions: [first.id, second.id],
  };
}

/** Returns the same value for the same index and salt. */
function pick<Value>(index: number, salt: number, values: readonly Value[]): Value {
  const mixed = Math.imul(Math.imul(index + 1, 0x9e3779b1) ^ Math.imul(salt + 1, 0x85ebca6b), 0xc2b2ae35);
  const value = values[((mixed ^ (mixed >>> 15)) >>> 4) % values.length];
  if (value === undefined) throw new TypeError('there are no values to choose from');
  return value;
}

const statusOf = (i: number, scan: number): Status => pick(i, scan, ['PASS', 'FAIL', 'MANUAL']);
const scanUid = (i: number, scan: number) => pick(i, 3, [`scan-${scan}`, null]);

function timeOf(i: number, scan: number): number {
  return (scan === 1 ? FIRST_SCAN : SECOND_SCAN) + pick(i, 4, [0, 1000, 2000]);
}

function attributesOf(i: number, scan: number, wasInFirst: boolean): ListedFinding['attributes'] {
  const [provider_type, account] = pick(i, 5, PROVIDERS);
  const check_id = pick(i, 6, ['check_a', 'check_b'] as const);
  const { title, categories } = CHECKS[`${provider_type}.${check_id}`];
  const isRepeated = wasInFirst && scan === 2;
  const status = statusOf(i, scan);
  const isChanged = isRepeated && status !== statusOf(i, 1);
  const at = (from: number) => new Date(timeOf(i, from)).toISOString().replace('Z', '000Z');
  return {
    uid: `finding-${i}`,
    check_id,
    check_title: title,
    severity: pick(i, 7, Object.keys(SEVERITIES).filter(isSeverity)),
    state: 'open',
    status,
    status_detail: pick(i, 8, ['It is open_to all.', 'It is open to all.', 'It is closed.']),
    muted: pick(i, 9, [true, false, false]),
    delta: isChanged ? 'changed' : isRepeated ? 'unchanged' : 'new',
    resource: { uid: `arn:${i % 12}:R`, name: `Name ${i % 12}`, type: pick(i, 10, ['Bucket', 'Vault']) },
    region: pick(i, 11, ['eu-central-1', 'us-east-1', 'us-east-2']),
    service: pick(i, 12, ['s3', 'iam', 'logs']),
    product: pick(i, 13, ['Cloud scanner', 'Image scanner']),
    provider_type,
    account,
    categories,
    first_seen_at: at(wasInFirst ? 1 : scan),
    last_seen_at: at(scan),
    status_changed_at: at(isRepeated && !isChanged ? 1 : scan),
    resolved_at: null,
    previous: isRepeated ? { status: statusOf(i, 1), seen_at: at(1) } : null,
  };
}

function uploaded(i: number, scan: number): Record<string, unknown> {
  const { uid, check_id, check_title, severity, status, status_detail, muted, ...rest } = attributesOf(
    i,
    scan,
    true,
  );
  return record({
    time: timeOf(i, scan),
    severity_id: SEVERITIES[severity],
    status_id: muted ? 3 : 1,
    status_code: status,
    status_detail,
    metadata: { event_code: check_id, product: { name: rest.product } },
    finding_info: { uid, title: check_title },
    cloud: { provider: rest.provider_type, account: { uid: rest.account } },
    resources: [{ ...rest.resource, region: rest.region, group: { name: rest.service } }],
    unmapped: { categories: rest.categories, scan_id: scanUid(i, scan) },
  });
}

function isSeverity(name: string): name is Severity {
  return Object.hasOwn(SEVERITIES, name);
}
