import assert from 'node:assert/strict';
import { type DetectionFinding, isRejection, type Rejection, readDetectionFinding } from '../../src/index.ts';

/** The latest time that a record may have. */
export const LATEST = 253_402_300_799_999;
/** The provider, account and time of the upload, for records without them. */
export const DEFAULTS = { provider: 'part', account: 'part', time: 1_780_000_000_000 };

/** The source fields of each required text value, in order of precedence. */
export const PLACING = {
  uid: ['/finding_info/uid'],
  checkId: ['/metadata/event_code'],
  providerType: ['/cloud/provider', '/unmapped/provider'],
  account: ['/cloud/account/uid', '/unmapped/provider_uid'],
} as const;

/** Values by name or by JSON Pointer. */
export type Fields = Readonly<Record<string, unknown>>;

/** Returns a class 2004 record with these fields. Omits fields that are `undefined`. */
export function recordOf(fields: Fields): Record<string, unknown> {
  const record: Record<string, unknown> = { class_uid: 2004, status_code: 'FAIL', resources: [{}] };
  for (const [pointer, value] of Object.entries(fields)) {
    if (value === undefined) continue;
    const keys = pointer.slice(1).split('/');
    let parent = record;
    for (const key of keys.slice(0, -1)) {
      parent[key] ??= {};
      parent = parent[key] as Record<string, unknown>;
    }
    parent[keys.at(-1) ?? ''] = value;
  }
  return record;
}

/** Returns a valid record in which the given members replace the defaults. */
export function valid(members: Fields = {}): Fields {
  return { ...recordOf({ '/finding_info/uid': 'a', '/metadata/event_code': 'b' }), ...members };
}

/** Reads a record that must be valid. */
export function finding(record: unknown, defaults = DEFAULTS): DetectionFinding {
  const result = readDetectionFinding(record, defaults);
  assert.ok(!isRejection(result), JSON.stringify(result));
  return result;
}

/** Reads a record that must be rejected. */
export function rejection(
  record: unknown,
  defaults: Parameters<typeof readDetectionFinding>[1] = DEFAULTS,
): Rejection {
  const result = readDetectionFinding(record, defaults);
  assert.ok(isRejection(result), 'the record was accepted');
  return result;
}
