import { hashOf, Random } from '../../../../tools/findings-generator/src/random.ts';
import { record, without } from '../support/records.ts';

export const ACCOUNTS = 3;
export const PROVIDER = 'aws';
const CHECKS = 11;
const EPOCH = 1_780_000_000;
const DAY = 86_400;
const DAYS = 8;
const STATUSES = ['PASS', 'FAIL', 'MANUAL'] as const;
const SEVERITIES = ['informational', 'low', 'medium', 'high', 'critical'] as const;
const INVALID_SHARE = 0.02;
/** Of records that are of the same finding as one before in the same file, as a rule of another status. */
const REPEATED_SHARE = 0.03;
const KEYED_SHARE = 0.6;
const SLOW_SHARE = 0.4;

/** What a good record says of its finding. `marker` is of this record alone, and stands in its `status_detail`. */
export interface Observation {
  readonly resourceUid: string;
  readonly account: string;
  readonly time: number;
  readonly status: (typeof STATUSES)[number];
  readonly severity: (typeof SEVERITIES)[number];
  readonly muted: boolean;
  readonly marker: string;
}

export interface PlannedRecord {
  readonly text: string;
  /** The finding, or the code of the error that the record must become. */
  readonly expected: Observation | string;
}

/** An upload and all that must become of it. */
export interface PlannedUpload {
  readonly fileName: string;
  readonly scanUid: string;
  readonly idempotencyKey: string | undefined;
  /** Sent bit by bit, as over a slow line. */
  readonly isSlow: boolean;
  readonly records: readonly PlannedRecord[];
}

export interface UploadSizes {
  /** How many findings a tenant has at most. */
  readonly findings: number;
  /** Records of the largest file. */
  readonly largest: number;
}

/** The upload of this number of a tenant: the same for the same seed, so that it need not be kept. */
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
    // The first is good, so that no file is without any.
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
    records,
  };
}

/** The file: its records with white space between them. */
export function fileOf({ records }: PlannedUpload): Buffer<ArrayBuffer> {
  return Buffer.from(`[${records.map(({ text }) => text).join(',\n')}]\n`);
}

/** As many small files as large ones; one in six is half as large as the largest or larger. */
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
    resourceUid: `arn:aws:s3:::bucket-${finding}`,
    account: `account-${finding % ACCOUNTS}`,
    time,
    status,
    severity,
    muted: random.chance(0.1),
    marker,
  };
  return recordOf(finding, expected, scanUid);
}

/** The record of a finding that says this. */
export function recordOf(finding: number, expected: Observation, scanUid: string): PlannedRecord {
  const { time, severity, status, muted, marker, account, resourceUid } = expected;
  const text = JSON.stringify(
    record({
      time,
      severity_id: SEVERITIES.indexOf(severity) + 1,
      status_code: status,
      status_id: muted ? 3 : 1,
      status_detail: marker,
      metadata: { event_code: `check_${finding % CHECKS}` },
      // Several resources share a finding uid, as scanners do it.
      finding_info: { uid: `finding-${Math.floor(finding / 2)}` },
      cloud: { provider: PROVIDER, account: { uid: account } },
      resources: [{ uid: resourceUid, name: `bucket-${finding}`, group: { name: 's3' } }],
      unmapped: { scan_id: scanUid },
    }),
  );
  return { text, expected };
}

/** Records that are no findings, and why. */
export const INVALID = [
  { text: '"no object"', expected: 'invalid_type' },
  { text: JSON.stringify(record({ class_uid: 1 })), expected: 'unsupported_class' },
  { text: JSON.stringify(without('finding_info.uid')), expected: 'required' },
  { text: JSON.stringify(record({ status_code: 'PERHAPS' })), expected: 'invalid_value' },
  { text: '{"class_uid": 2004,}', expected: 'invalid_json' },
] as const satisfies readonly PlannedRecord[];
