import { hashOf, Random } from '../../../../tools/findings-generator/src/random.ts';
import { record, without } from '../support/records.ts';

const ACCOUNTS = 3;
export const PROVIDER = 'aws';
const CHECKS = 11;
const EPOCH = 1_780_000_000;
const DAY = 86_400;
const DAYS = 8;
const STATUSES = ['PASS', 'FAIL', 'MANUAL'] as const;
const SEVERITIES = ['informational', 'low', 'medium', 'high', 'critical'] as const;
const FINDINGS_PER_RESOURCE = 2;
/** Uids that share a pattern with the other findings of their resource, have another pattern, or have none. */
const UIDS: readonly ((checkId: string, resource: number) => string)[] = [
  (checkId, resource) => `scanner-${checkId}-bucket-${resource}`,
  (checkId, resource) => `scanner-${checkId}-bucket-${resource}`,
  (checkId, resource) => `scanner-${checkId}-bucket-${resource}`,
  (checkId, resource) => `other-${checkId}-bucket-${resource}`,
  (checkId) => `${checkId}/${checkId}`,
  // Several resources share a finding uid, as in scanner output.
  (_checkId, resource) => `finding-${Math.floor(resource / 10)}`,
];
/** Attributes that a resource has in some of its records. */
const ATTRIBUTES = [
  { resourceName: 'bucket-one', region: 'region-one' },
  { resourceName: 'bucket-two', region: 'region-two' },
  { resourceName: 'bucket-three', region: 'region-three' },
] as const;
const INVALID_SHARE = 0.02;
/** Fraction of records that repeat a finding in the same file, usually with a different status. */
const REPEATED_SHARE = 0.03;
const KEYED_SHARE = 0.6;
const SLOW_SHARE = 0.4;
const COVERAGES = ['partial', 'checks', 'account'] as const;
/** One of this number of findings is in records without a product, which no coverage resolves. */
const WITHOUT_PRODUCT = 10;

/** The finding of a valid record. `marker` is unique to the record and part of its `status_detail`. */
export interface Observation {
  readonly resourceUid: string;
  readonly resourceName: string;
  readonly region: string;
  readonly account: string;
  readonly checkId: string;
  readonly uid: string;
  /** Whether its records name a product, which is the same for all. */
  readonly hasProduct: boolean;
  readonly time: number;
  readonly status: (typeof STATUSES)[number];
  readonly severity: (typeof SEVERITIES)[number];
  readonly muted: boolean;
  readonly marker: string;
}

export interface PlannedRecord {
  readonly text: string;
  /** The finding, or the error code that is expected for the record. */
  readonly expected: Observation | string;
}

/** An upload and its expected outcome. */
export interface PlannedUpload {
  readonly fileName: string;
  readonly scanUid: string;
  readonly idempotencyKey: string | undefined;
  /** Whether the file is sent in small pieces, as over a slow connection. */
  readonly isSlow: boolean;
  readonly coverage: (typeof COVERAGES)[number];
  readonly records: readonly PlannedRecord[];
}

export interface UploadSizes {
  /** Maximum number of findings per tenant. */
  readonly findings: number;
  /** Number of records in the largest file. */
  readonly largest: number;
}

/**
 * Returns the tenant's upload with this number. The upload depends only on the seed, so it does not have to be stored.
 */
export function planUpload(
  { seed, findings, largest }: UploadSizes & { readonly seed: number },
  tenant: number,
  number: number,
): PlannedUpload {
  const random = new Random(hashOf(seed, tenant, number));
  const name = `tenant-${tenant}-upload-${number}`;
  const scanUid = random.uuid();
  const day = random.below(DAYS);
  const first = random.below(findings);
  const records = Array.from({ length: sizeOf(random, largest) }, (_, at) => {
    // The first record is valid, so that every file has a valid record.
    if (at > 0 && random.chance(INVALID_SHARE)) return random.pick<PlannedRecord>(INVALID);
    const back = random.chance(REPEATED_SHARE) ? random.below(at + 1) : 0;
    const finding = (first + at - back) % findings;
    return goodRecord(finding, EPOCH + day * DAY + random.below(2), `${name}#${at}`, scanUid, random);
  });
  return {
    fileName: `${name}.ocsf.json`,
    scanUid,
    idempotencyKey: random.chance(KEYED_SHARE) ? name : undefined,
    isSlow: random.chance(SLOW_SHARE),
    coverage: random.pick(COVERAGES),
    records,
  };
}

/** Builds the file: its records with whitespace between them. */
export function fileOf({ records }: PlannedUpload): Buffer<ArrayBuffer> {
  return Buffer.from(`[${records.map(({ text }) => text).join(',\n')}]\n`);
}

/** Small and large files are equally frequent; one in six files has at least half the maximum size. */
function sizeOf(random: Random, largest: number): number {
  const half = Math.floor(largest / 2);
  const [least, most] = random.pick<readonly [number, number]>([
    [1, 1],
    [1, 50],
    [50, 500],
    [500, 2000],
    [2000, half],
    [half, largest],
  ]);
  return least + random.below(most - least + 1);
}

function goodRecord(
  finding: number,
  time: number,
  marker: string,
  scanUid: string,
  random: Random,
): PlannedRecord {
  const [status, severity] = [random.pick(STATUSES), random.pick(SEVERITIES)];
  const expected: Observation = {
    ...identityOf(finding),
    ...random.pick<Pick<Observation, 'resourceName' | 'region'>>(ATTRIBUTES),
    time,
    status,
    severity,
    muted: random.chance(0.1),
    marker,
  };
  return recordOf(expected, scanUid);
}

/** Returns the members of an observation that are the same in all records of this finding. */
export function identityOf(
  finding: number,
): Pick<Observation, 'resourceUid' | 'account' | 'checkId' | 'uid' | 'hasProduct'> {
  const resource = Math.floor(finding / FINDINGS_PER_RESOURCE);
  const checkId = `check_${finding % CHECKS}`;
  return {
    resourceUid: `arn:aws:s3:::bucket-${resource}`,
    account: `account-${resource % ACCOUNTS}`,
    checkId,
    uid: UIDS[finding % UIDS.length]?.(checkId, resource) ?? '',
    hasProduct: finding % WITHOUT_PRODUCT > 0,
  };
}

export function recordOf(expected: Observation, scanUid: string): PlannedRecord {
  const { time, severity, status, muted, marker, account, resourceUid, resourceName, region } = expected;
  const text = JSON.stringify(
    record({
      time,
      severity_id: SEVERITIES.indexOf(severity) + 1,
      status_code: status,
      status_id: muted ? 3 : 1,
      status_detail: marker,
      metadata: {
        event_code: expected.checkId,
        ...(expected.hasProduct && { product: { name: 'Scanner' } }),
      },
      finding_info: { uid: expected.uid },
      cloud: { provider: PROVIDER, account: { uid: account } },
      resources: [{ uid: resourceUid, name: resourceName, region, group: { name: 's3' } }],
      unmapped: { scan_id: scanUid },
    }),
  );
  return { text, expected };
}

/** Records that are not findings, with their error codes. */
export const INVALID = [
  { text: '"no object"', expected: 'invalid_type' },
  { text: JSON.stringify(record({ class_uid: 1 })), expected: 'unsupported_class' },
  { text: JSON.stringify(without('finding_info.uid')), expected: 'required' },
  { text: JSON.stringify(record({ status_code: 'PERHAPS' })), expected: 'invalid_value' },
  { text: '{"class_uid": 2004,}', expected: 'invalid_json' },
] as const satisfies readonly PlannedRecord[];
