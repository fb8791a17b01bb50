import type { FieldTree, JsonObject } from '../extract/field-layout.ts';
import { normalizeAccount, normalizeProviderType, plainText } from './account.ts';
import type { DetectionFinding, FindingStatus } from './detection-finding.ts';
import {
  field,
  firstText,
  isObject,
  optionalLabel,
  optionalObject,
  optionalText,
  readNumber,
  type Source,
} from './fields.ts';
import { ignoreWarning, invalidType, type Rejection, showValue, type Warn, warnOfType } from './problems.ts';
import { readTime } from './record-time.ts';
import { readResources } from './resources.ts';
import { readSeverity } from './severity.ts';

/** Default values from the upload. They never override the values of a record. */
export interface UploadDefaults {
  readonly provider: string | null;
  readonly account: string | null;
  /** When the upload was requested, in milliseconds since 1970 (UTC). The time of a finding is never later. */
  readonly time: number;
}

const DETECTION_FINDING_CLASS = 2004;
/** `status_id` of a muted finding. */
const SUPPRESSED = 3;
/** How far a scanner's clock may be ahead before a record causes a warning. */
const CLOCK_SKEW_MS = 5 * 60_000;

/**
 * Maximum lengths, in UTF-16 code units, of strings that identify checks and accounts. These strings are database keys,
 * and PostgreSQL limits index entries to 2,704 bytes. Any string of these lengths fits.
 */
export const MAX_LENGTHS = { provider: 100, account: 512, check: 512 } as const;

const findingUid: Source = { fields: [field('finding_info', 'uid')], maxLength: Number.POSITIVE_INFINITY };
const eventCode: Source = { fields: [field('metadata', 'event_code')], maxLength: MAX_LENGTHS.check };
const provider: Source = {
  fields: [field('cloud', 'provider'), field('unmapped', 'provider')],
  maxLength: MAX_LENGTHS.provider,
  // Conversion to lower case can lengthen a string.
  normalize: normalizeProviderType,
};
const account: Source = {
  fields: [field('cloud', 'account', 'uid'), field('unmapped', 'provider_uid')],
  maxLength: MAX_LENGTHS.account,
  normalize: plainText,
};
const missingProvider =
  "The record does not name a provider. Set cloud.provider or unmapped.provider, send the form field 'provider' with the upload, or retry the ingestion with a default provider.";
const missingAccount =
  "The record does not name an account. Set cloud.account.uid or unmapped.provider_uid, send the form field 'account' with the upload, or retry the ingestion with a default account.";

/**
 * Every field that `readDetectionFinding`, `findingUidOf` and `ConformanceChecker` read, and the texts that
 * `readCheckTexts` reads. A test verifies that the list is complete.
 */
export const FINDING_FIELDS = {
  class_uid: true,
  status_code: true,
  status_id: true,
  severity_id: true,
  severity: true,
  status_detail: true,
  message: true,
  time: true,
  time_dt: true,
  risk_details: 'text',
  finding_info: { uid: true, created_time: true, title: 'text', desc: 'text' },
  remediation: { desc: 'text', references: 'text' },
  metadata: { version: true, profiles: true, event_code: true, product: { name: true, version: true } },
  cloud: { provider: true, region: true, account: { uid: true, name: true } },
  unmapped: { provider: true, provider_uid: true, scan_id: true, categories: 'text', compliance: 'text' },
  resources: [
    {
      uid: true,
      name: true,
      type: true,
      region: true,
      namespace: true,
      labels: true,
      group: { name: true },
    },
  ],
} as const satisfies FieldTree;

/**
 * Reads one element of an uploaded array. Returns a rejection if the record does not identify its provider, check and
 * finding. Only these fields are required; any other field that cannot be read is set to `null` and causes a warning. A
 * rejected record causes no warnings.
 */
export function readDetectionFinding(
  record: unknown,
  defaults: UploadDefaults,
  warn: Warn = ignoreWarning,
): DetectionFinding | Rejection {
  if (!isObject(record)) return invalidType('', record, 'an object');
  const wrongClass = checkClass(record);
  if (wrongClass !== undefined) return wrongClass;

  const uid =
    firstText(record, findingUid) ??
    required(
      findingUid,
      'The record does not identify its finding. Set finding_info.uid to a non-blank string.',
    );
  if (typeof uid !== 'string') return uid;
  const checkId =
    firstText(record, eventCode) ??
    required(
      eventCode,
      'The record does not identify its check. Set metadata.event_code to a non-blank string.',
    );
  if (typeof checkId !== 'string') return checkId;
  const providerName =
    firstText(record, provider) ?? defaults.provider ?? required(provider, missingProvider);
  if (typeof providerName !== 'string') return providerName;
  const accountUid = firstText(record, account) ?? defaults.account ?? required(account, missingAccount);
  if (typeof accountUid !== 'string') return accountUid;
  const status = readStatus(record.status_code);
  if (typeof status !== 'string') return status;

  const info = optionalObject(record.finding_info, '/finding_info', warn);
  const cloud = optionalObject(record.cloud, '/cloud', warn);
  const cloudAccount = optionalObject(cloud.account, '/cloud/account', warn);
  const unmapped = optionalObject(record.unmapped, '/unmapped', warn);
  const metadata = optionalObject(record.metadata, '/metadata', warn);
  const product = optionalObject(metadata.product, '/metadata/product', warn);
  const recordRegion = optionalLabel(cloud.region, '/cloud/region', warn);
  const resources = readResources(record.resources, recordRegion, warn);
  const [first] = resources;
  const providerType = normalizeProviderType(providerName);
  return {
    uid,
    checkId,
    providerType,
    account: normalizeAccount(providerType, accountUid),
    accountName: optionalText(cloudAccount.name, '/cloud/account/name', warn),
    status: status === 'MUTED' ? 'FAIL' : status,
    muted: isSuppressed(record.status_id, warn) || status === 'MUTED',
    severity: readSeverity(record.severity_id, record.severity, warn),
    statusDetail:
      optionalText(record.status_detail, '/status_detail', warn) ??
      optionalText(record.message, '/message', warn),
    time: recordTime(record, info, defaults, warn),
    product: optionalLabel(product.name, '/metadata/product/name', warn),
    productVersion: optionalLabel(product.version, '/metadata/product/version', warn),
    resources,
    region: first === undefined ? recordRegion : first.region,
    scanUid: optionalLabel(unmapped.scan_id, '/unmapped/scan_id', warn),
  };
}

function checkClass(record: JsonObject): Rejection | undefined {
  const value = record.class_uid;
  if (value === DETECTION_FINDING_CLASS) return undefined;
  if (value === undefined || value === null) {
    return unsupportedClass(
      `The record has no class_uid. Only Detection Findings (class ${DETECTION_FINDING_CLASS}) are supported.`,
    );
  }
  if (typeof value !== 'number')
    return invalidType('/class_uid', value, `the number ${DETECTION_FINDING_CLASS}`);
  return unsupportedClass(
    `Class ${value} is not supported. Only Detection Findings (class ${DETECTION_FINDING_CLASS}) are.`,
  );
}

function unsupportedClass(detail: string): Rejection {
  return { code: 'unsupported_class', pointer: '/class_uid', detail };
}

function required({ fields }: Source, detail: string): Rejection {
  return { code: 'required', pointer: fields[0].pointer, detail };
}

function readStatus(value: unknown): FindingStatus | 'MUTED' | Rejection {
  const pointer = '/status_code';
  if (value === undefined || value === null || (typeof value === 'string' && value.trim() === '')) {
    return {
      code: 'required',
      pointer,
      detail: 'The record has no status. Set status_code to PASS, FAIL, MANUAL or MUTED.',
    };
  }
  if (typeof value !== 'string') return invalidType(pointer, value, 'PASS, FAIL, MANUAL or MUTED');
  const status = value.trim().toUpperCase();
  if (status === 'PASS' || status === 'FAIL' || status === 'MANUAL' || status === 'MUTED') return status;
  return {
    code: 'invalid_value',
    pointer,
    detail: `Expected PASS, FAIL, MANUAL or MUTED, got ${showValue(value)}.`,
  };
}

/** Whether `status_id` marks the finding as muted. Ignores other numbers and blank strings. */
function isSuppressed(value: unknown, warn: Warn): boolean {
  const number = readNumber(value);
  if (typeof number === 'number') return number === SUPPRESSED;
  if (typeof value !== 'string' || value.trim() !== '') warnOfType(warn, '/status_id', value, 'a number');
  return false;
}

/** Replaces a time that is later than the upload. Otherwise, the record would remain the newest until that time. */
function recordTime(record: JsonObject, info: JsonObject, defaults: UploadDefaults, warn: Warn): number {
  let pointer = '/time';
  let time = readTime(record.time, pointer, warn);
  if (time === undefined) {
    pointer = '/finding_info/created_time';
    time = readTime(info.created_time, pointer, warn);
  }
  if (time === undefined) {
    pointer = '/time_dt';
    time = readTime(record.time_dt, pointer, warn);
  }
  if (time === undefined || time <= defaults.time) return time ?? defaults.time;
  if (time > defaults.time + CLOCK_SKEW_MS) {
    const detail = `The time ${new Date(time).toISOString()} is later than the upload. The upload time is used instead.`;
    warn({ code: 'future_time', pointer, detail });
  }
  return defaults.time;
}

/** Whether a result of `readDetectionFinding` is a rejection. */
export function isRejection(result: DetectionFinding | Rejection): result is Rejection {
  return 'code' in result;
}

/** Returns a record's finding uid for error messages, whether or not the record is valid. */
export function findingUidOf(record: unknown): string | null {
  const info = isObject(record) ? record.finding_info : undefined;
  return isObject(info) ? optionalText(info.uid, '/finding_info/uid', ignoreWarning) : null;
}
