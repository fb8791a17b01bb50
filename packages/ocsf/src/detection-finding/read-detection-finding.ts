import { normalizeAccount, normalizeProviderType, plainText } from './account.ts';
import type { DetectionFinding, FindingStatus } from './detection-finding.ts';
import {
  field,
  firstText,
  isObject,
  type JsonObject,
  labelOf,
  optionalLabel,
  optionalObject,
  optionalText,
  readNumber,
  type Source,
} from './fields.ts';
import { readTime } from './record-time.ts';
import { invalidType, type Rejection, showValue } from './rejection.ts';
import { readSeverity } from './severity.ts';
import { ignoreWarning, type Warn, warnOfType } from './warning.ts';

/** What an upload says for records that do not say it themselves; it never overrides a record. */
export interface UploadDefaults {
  readonly provider: string | null;
  readonly account: string | null;
  /** When the upload was requested, in milliseconds since 1970 (UTC). No record is later. */
  readonly time: number;
}

export const DETECTION_FINDING_CLASS = 2004;
/** `status_id` of a finding that somebody muted. */
const SUPPRESSED = 3;
/** How far a scanner's clock may be ahead without a warning. */
const CLOCK_SKEW_MS = 5 * 60_000;

/**
 * What identifies checks and accounts is a key in the database, whose index takes entries of 2,704 bytes at
 * most; these lengths fit whatever the characters are. In UTF-16 units.
 */
export const MAX_LENGTHS = { provider: 100, account: 512, check: 512 } as const;

const findingUid: Source = { fields: [field('finding_info', 'uid')], maxLength: Number.POSITIVE_INFINITY };
const eventCode: Source = { fields: [field('metadata', 'event_code')], maxLength: MAX_LENGTHS.check };
const provider: Source = {
  fields: [field('cloud', 'provider'), field('unmapped', 'provider')],
  maxLength: MAX_LENGTHS.provider,
  // Lower case can be longer.
  normalize: normalizeProviderType,
};
const account: Source = {
  fields: [field('cloud', 'account', 'uid'), field('unmapped', 'provider_uid')],
  maxLength: MAX_LENGTHS.account,
  normalize: plainText,
};
const unnamedProvider =
  "Neither cloud.provider nor unmapped.provider names the provider, and the upload has no part 'provider'";
const unnamedAccount =
  "Neither cloud.account.uid nor unmapped.provider_uid names the account, and the upload has no part 'account'";

/**
 * Reads one element of an uploaded array: the finding where it can be placed, else what stands against it. Only what
 * placing needs is required; what else cannot be read is `null` in the result, and a warning. A rejected record has none.
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
    required(findingUid, 'finding_info.uid, the identifier of the finding, is missing or blank');
  if (typeof uid !== 'string') return uid;
  const checkId =
    firstText(record, eventCode) ??
    required(eventCode, 'metadata.event_code, the identifier of the check, is missing or blank');
  if (typeof checkId !== 'string') return checkId;
  const providerName =
    firstText(record, provider) ?? defaults.provider ?? required(provider, unnamedProvider);
  if (typeof providerName !== 'string') return providerName;
  const accountUid = firstText(record, account) ?? defaults.account ?? required(account, unnamedAccount);
  if (typeof accountUid !== 'string') return accountUid;
  const status = readStatus(record.status_code);
  if (typeof status !== 'string') return status;

  const info = optionalObject(record.finding_info, '/finding_info', warn);
  const cloud = optionalObject(record.cloud, '/cloud', warn);
  const cloudAccount = optionalObject(cloud.account, '/cloud/account', warn);
  const unmapped = optionalObject(record.unmapped, '/unmapped', warn);
  const resource = firstResource(record.resources, warn);
  const group = optionalObject(resource.group, '/resources/0/group', warn);
  const name = optionalText(resource.name, '/resources/0/name', warn);
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
    resourceUid: optionalText(resource.uid, '/resources/0/uid', warn) ?? name,
    resourceName: labelOf(name, '/resources/0/name', warn),
    resourceType: optionalLabel(resource.type, '/resources/0/type', warn),
    region:
      optionalLabel(resource.region, '/resources/0/region', warn) ??
      optionalLabel(cloud.region, '/cloud/region', warn) ??
      optionalLabel(resource.namespace, '/resources/0/namespace', warn),
    service: optionalLabel(group.name, '/resources/0/group/name', warn),
    scanUid: optionalLabel(unmapped.scan_id, '/unmapped/scan_id', warn),
  };
}

/** Whether `status_id` says that the finding was muted; other numbers, and blank text, say nothing. */
function isSuppressed(value: unknown, warn: Warn): boolean {
  const number = readNumber(value);
  if (typeof number === 'number') return number === SUPPRESSED;
  if (typeof value !== 'string' || value.trim() !== '') warnOfType(warn, '/status_id', value, 'a number');
  return false;
}

/** The resource of the finding: an empty object where the record names none. */
function firstResource(resources: unknown, warn: Warn): JsonObject {
  if (!Array.isArray(resources)) {
    warnOfType(warn, '/resources', resources, 'an array');
    return {};
  }
  if (resources.length > 1) {
    const detail = `/resources has ${resources.length} elements; only the first is read`;
    warn({ code: 'several_resources', pointer: '/resources', detail });
  }
  return optionalObject(resources[0], '/resources/0', warn);
}

/** A time after the upload is replaced: such a record would remain the newest until that time. */
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
    const detail = `${pointer} is ${new Date(time).toISOString()}, after the upload; the time of the upload was used`;
    warn({ code: 'future_time', pointer, detail });
  }
  return defaults.time;
}

/** Tells the two results of `readDetectionFinding` apart. */
export function isRejection(result: DetectionFinding | Rejection): result is Rejection {
  return 'code' in result;
}

/** The finding's uid of any record, where it has one, so that an error can name it. */
export function findingUidOf(record: unknown): string | null {
  const info = isObject(record) ? record.finding_info : undefined;
  return isObject(info) ? optionalText(info.uid, '/finding_info/uid', ignoreWarning) : null;
}

function checkClass(record: JsonObject): Rejection | undefined {
  const value = record.class_uid;
  if (value === DETECTION_FINDING_CLASS) return undefined;
  if (value === undefined || value === null) {
    return unsupportedClass(
      `class_uid is missing; only ${DETECTION_FINDING_CLASS} (Detection Finding) is accepted`,
    );
  }
  if (typeof value !== 'number')
    return invalidType('/class_uid', value, `the number ${DETECTION_FINDING_CLASS}`);
  return unsupportedClass(
    `class_uid is ${value}; only ${DETECTION_FINDING_CLASS} (Detection Finding) is accepted`,
  );
}

function unsupportedClass(detail: string): Rejection {
  return { code: 'unsupported_class', pointer: '/class_uid', detail };
}

function readStatus(value: unknown): FindingStatus | 'MUTED' | Rejection {
  const pointer = '/status_code';
  if (value === undefined || value === null || (typeof value === 'string' && value.trim() === '')) {
    return {
      code: 'required',
      pointer,
      detail: 'status_code is missing or blank; PASS, FAIL, MANUAL or MUTED is expected',
    };
  }
  if (typeof value !== 'string') return invalidType(pointer, value, 'PASS, FAIL, MANUAL or MUTED');
  const status = value.trim().toUpperCase();
  if (status === 'PASS' || status === 'FAIL' || status === 'MANUAL' || status === 'MUTED') return status;
  return {
    code: 'invalid_value',
    pointer,
    detail: `status_code is ${showValue(value)}; PASS, FAIL, MANUAL or MUTED is expected`,
  };
}

function required({ fields }: Source, detail: string): Rejection {
  return { code: 'required', pointer: fields[0].pointer, detail };
}
