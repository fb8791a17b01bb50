import type { DetectionFinding, FindingStatus } from './detection-finding.ts';
import {
  field,
  firstText,
  isObject,
  type JsonObject,
  objectAt,
  optionalText,
  type Source,
} from './fields.ts';
import { readTime } from './record-time.ts';
import { invalidType, type Rejection, showValue } from './rejection.ts';
import { readSeverity } from './severity.ts';

/** What an upload says for records that do not say it themselves; it never overrides a record. */
export interface UploadDefaults {
  readonly provider: string | null;
  readonly account: string | null;
  /** Milliseconds since 1970 (UTC). */
  readonly time: number;
}

export const DETECTION_FINDING_CLASS = 2004;
/** `status_id` of a finding that somebody muted. */
const SUPPRESSED = 3;

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
};
const account: Source = {
  fields: [field('cloud', 'account', 'uid'), field('unmapped', 'provider_uid')],
  maxLength: MAX_LENGTHS.account,
};
const unnamedProvider =
  "Neither cloud.provider nor unmapped.provider names the provider, and the upload has no part 'provider'";
const unnamedAccount =
  "Neither cloud.account.uid nor unmapped.provider_uid names the account, and the upload has no part 'account'";

/**
 * Reads one element of an uploaded array: the finding where it can be placed, else what stands against it.
 * Only what placing needs is checked; any other field of an unexpected type is `null` in the result.
 */
export function readDetectionFinding(
  record: unknown,
  defaults: UploadDefaults,
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
  const providerType =
    firstText(record, provider) ?? defaults.provider ?? required(provider, unnamedProvider);
  if (typeof providerType !== 'string') return providerType;
  const accountUid = firstText(record, account) ?? defaults.account ?? required(account, unnamedAccount);
  if (typeof accountUid !== 'string') return accountUid;
  const status = readStatus(record.status_code);
  if (typeof status !== 'string') return status;

  const info = objectAt(record, 'finding_info');
  const cloud = objectAt(record, 'cloud');
  const unmapped = objectAt(record, 'unmapped');
  const resources = record.resources;
  const first: unknown = Array.isArray(resources) ? resources[0] : undefined;
  const resource = isObject(first) ? first : {};
  return {
    uid,
    checkId,
    providerType: providerType.trim().toLowerCase(),
    account: accountUid.trim(),
    accountName: optionalText(objectAt(cloud, 'account').name),
    status: status === 'MUTED' ? 'FAIL' : status,
    muted: status === 'MUTED' || record.status_id === SUPPRESSED,
    severity: readSeverity(record.severity_id, record.severity),
    statusDetail: optionalText(record.status_detail) ?? optionalText(record.message),
    time: readTime([record.time, info.created_time, record.time_dt]) ?? defaults.time,
    resourceUid: optionalText(resource.uid) ?? optionalText(resource.name),
    resourceName: optionalText(resource.name),
    resourceType: optionalText(resource.type),
    region: optionalText(resource.region) ?? optionalText(cloud.region) ?? optionalText(resource.namespace),
    service: optionalText(objectAt(resource, 'group').name),
    scanUid: optionalText(unmapped.scan_id),
  };
}

/** Tells the two results of `readDetectionFinding` apart. */
export function isRejection(result: DetectionFinding | Rejection): result is Rejection {
  return 'code' in result;
}

/** The finding's uid of any record, where it has one, so that an error can name it. */
export function findingUidOf(record: unknown): string | null {
  return isObject(record) ? optionalText(objectAt(record, 'finding_info').uid) : null;
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
  if (value === 'PASS' || value === 'FAIL' || value === 'MANUAL' || value === 'MUTED') return value;
  const pointer = '/status_code';
  if (value === undefined || value === null) {
    return {
      code: 'invalid_value',
      pointer,
      detail: 'status_code is missing; PASS, FAIL, MANUAL or MUTED is expected',
    };
  }
  if (typeof value !== 'string') return invalidType(pointer, value, 'PASS, FAIL, MANUAL or MUTED');
  return {
    code: 'invalid_value',
    pointer,
    detail: `status_code is ${showValue(value)}; PASS, FAIL, MANUAL or MUTED is expected`,
  };
}

function required({ fields }: Source, detail: string): Rejection {
  return { code: 'required', pointer: fields[0].pointer, detail };
}
