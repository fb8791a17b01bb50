import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import {
  type DetectionFinding,
  isRejection,
  type Rejection,
  readCheckTexts,
  readDetectionFinding,
} from '../../src/index.ts';
import { TEST_SEEDS } from '../fuzz/test-seeds.ts';

const RUNS = 2_000;
const DEFAULTS = { provider: 'part', account: 'part', time: 1_780_000_000_000 };

/** The fields that hold text in the order in which they are tried, by what they become. */
const PLACING = {
  uid: ['/finding_info/uid'],
  checkId: ['/metadata/event_code'],
  providerType: ['/cloud/provider', '/unmapped/provider'],
  account: ['/cloud/account/uid', '/unmapped/provider_uid'],
} as const;
const DESCRIBING = {
  accountName: ['/cloud/account/name'],
  statusDetail: ['/status_detail', '/message'],
  resourceUid: ['/resources/0/uid', '/resources/0/name'],
  resourceName: ['/resources/0/name'],
  resourceType: ['/resources/0/type'],
  region: ['/resources/0/region', '/cloud/region', '/resources/0/namespace'],
  service: ['/resources/0/group/name'],
  scanUid: ['/unmapped/scan_id'],
} as const;
const POINTERS = [...new Set([...Object.values(PLACING), ...Object.values(DESCRIBING)].flat())];

type Fields = Readonly<Record<string, unknown>>;

const text = fc
  .string({ minLength: 1, maxLength: 20, unit: 'binary' })
  .filter((value) => value.trim() !== '');
const blank = fc.constantFrom('', ' ', '\t\n', null, undefined);
const otherType = fc.constantFrom<unknown[]>(0, 1.5, true, [], ['text'], {}, { uid: 'text' });

/** Texts by JSON Pointer, of which any may be missing or blank. */
const sparse = fc.record(Object.fromEntries(POINTERS.map((pointer) => [pointer, fc.oneof(text, blank)])));
const placed = fc
  .tuple(sparse, text, text)
  .map(([fields, uid, code]) => ({ ...fields, '/finding_info/uid': uid, '/metadata/event_code': code }));

/** A record of class 2004 with these fields; those that are `undefined` are missing. */
function recordOf(fields: Fields): Record<string, unknown> {
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

function finding(record: unknown, defaults = DEFAULTS): DetectionFinding {
  const result = readDetectionFinding(record, defaults);
  assert.ok(!isRejection(result), JSON.stringify(result));
  return result;
}

function rejection(
  record: unknown,
  defaults: Parameters<typeof readDetectionFinding>[1] = DEFAULTS,
): Rejection {
  const result = readDetectionFinding(record, defaults);
  assert.ok(isRejection(result), 'the record is accepted');
  return result;
}

function firstText(fields: Fields, pointers: readonly string[]): string | null {
  const found = pointers.map((pointer) => fields[pointer]);
  return (found.find((value) => typeof value === 'string' && value.trim() !== '') as string | null) ?? null;
}

for (const { what, seed } of TEST_SEEDS) {
  describe(`reading a detection finding, with ${what} properties (seed ${seed})`, () => {
    const holds = <Value>(values: fc.Arbitrary<Value>, check: (value: Value) => void) =>
      fc.assert(fc.property(values, check), { seed, numRuns: RUNS });

    it('takes each text from the first field that has one, and the provider and the account from the upload if none has', () =>
      holds(placed, (fields) => {
        const found = finding(recordOf(fields));
        for (const [name, pointers] of Object.entries(DESCRIBING)) {
          assert.equal(found[name as keyof DetectionFinding], firstText(fields, pointers), name);
        }
        assert.equal(found.uid, fields['/finding_info/uid']);
        assert.equal(found.checkId, fields['/metadata/event_code']);
        const providerType = firstText(fields, PLACING.providerType) ?? DEFAULTS.provider;
        assert.equal(found.providerType, providerType.trim().toLowerCase());
        assert.equal(found.account, (firstText(fields, PLACING.account) ?? DEFAULTS.account).trim());
      }));

    it('rejects a record without a text that places it, and names the field', () =>
      holds(
        fc.tuple(placed, fc.constantFrom(...Object.values(PLACING)), blank),
        ([fields, pointers, empty]) => {
          const emptied = Object.fromEntries(pointers.map((pointer) => [pointer, empty]));
          const bare = { provider: null, account: null, time: 0 };
          const complete = { '/cloud/provider': 'aws', '/cloud/account/uid': '1' };
          const { code, pointer } = rejection(recordOf({ ...fields, ...complete, ...emptied }), bare);
          assert.deepEqual({ code, pointer }, { code: 'required', pointer: pointers[0] });
        },
      ));

    it('rejects a record when a field that places it has another type, and never tries the next field', () =>
      holds(
        fc.tuple(placed, fc.constantFrom(...Object.values(PLACING)), otherType),
        ([fields, pointers, wrong]) => {
          const { code, pointer } = rejection(recordOf({ ...fields, [pointers[0]]: wrong }));
          assert.deepEqual({ code, pointer }, { code: 'invalid_type', pointer: pointers[0] });
        },
      ));

    it('ignores a descriptive field of another type', () =>
      holds(
        fc.tuple(placed, fc.constantFrom(...Object.values(DESCRIBING).flat()), otherType),
        ([fields, pointer, wrong]) => {
          const without = { ...fields, [pointer]: undefined };
          assert.deepEqual(finding(recordOf({ ...fields, [pointer]: wrong })), finding(recordOf(without)));
        },
      ));

    it('returns a finding or a rejection with a pointer and a sentence for any JSON value', () =>
      holds(
        fc.oneof(
          fc.jsonValue(),
          fc.dictionary(fc.constantFrom('class_uid', 'finding_info', 'metadata', 'cloud'), fc.jsonValue()),
          fc
            .dictionary(fc.constantFrom('cloud', 'unmapped', 'status_code', 'time'), fc.jsonValue())
            .map((more) => ({
              ...recordOf({ '/finding_info/uid': 'a', '/metadata/event_code': 'b' }),
              ...more,
            })),
        ),
        (value) => {
          const result = readDetectionFinding(value, DEFAULTS);
          readCheckTexts(value);
          if (!isRejection(result)) return;
          assert.match(result.pointer, /^(\/[a-z_]+)*$/);
          assert.match(result.detail, /^\S.*\S$/s);
        },
      ));

    it('reads the same moment from seconds, milliseconds and ISO 8601 text with any offset', () => {
      const withTime = (time: unknown) => finding({ ...recordOf({}), ...PLACED, time }).time;
      holds(
        fc.tuple(
          fc.integer({ min: 1e11, max: 253_402_214_400_000 }),
          fc.integer({ min: -1_439, max: 1_439 }),
        ),
        ([moment, offset]) => {
          const seconds = Math.trunc(moment / 1000);
          assert.equal(withTime(moment), moment);
          if (seconds < 1e11) assert.equal(withTime(seconds), seconds * 1000);
          const local = new Date(moment + offset * 60_000).toISOString().slice(0, -1);
          if (local.startsWith('+')) return;
          assert.equal(withTime(`${local}${offset < 0 ? '-' : '+'}${clock(Math.abs(offset))}`), moment);
        },
      );
    });

    it('never takes a moment before 1970 or after the year 9999', () =>
      holds(fc.oneof(fc.double(), fc.string(), fc.date({ noInvalidDate: true }).map(String)), (time) => {
        const read = finding({ ...recordOf({}), ...PLACED, time }).time;
        assert.ok(Number.isInteger(read) && read >= 0 && read <= 253_402_300_799_999, String(read));
      }));
  });
}

const PLACED = { finding_info: { uid: 'a' }, metadata: { event_code: 'b' } };

function clock(minutes: number): string {
  return [Math.floor(minutes / 60), minutes % 60].map((part) => String(part).padStart(2, '0')).join(':');
}
