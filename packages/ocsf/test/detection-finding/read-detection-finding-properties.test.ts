import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { isWholeRun } from '../../../server/test/support/is-whole-run.ts';
import { isRejection, readCheckTexts, readDetectionFinding } from '../../src/index.ts';
import { TEST_SEEDS } from '../fuzz/test-seeds.ts';
import {
  DEFAULTS,
  type Fields,
  finding,
  LATEST,
  PLACING,
  recordOf,
  rejection,
  valid,
} from './read-record.ts';

const RUNS = isWholeRun ? 2_000 : 500;

/** The source fields of each optional text value, in order of precedence. */
const DESCRIBING = {
  accountName: ['/cloud/account/name'],
  statusDetail: ['/status_detail', '/message'],
  resourceUid: ['/resources/0/uid', '/resources/0/name'],
  resourceName: ['/resources/0/name'],
  resourceType: ['/resources/0/type'],
  region: ['/resources/0/region', '/cloud/region', '/resources/0/namespace'],
  service: ['/resources/0/group/name'],
  scanUid: ['/unmapped/scan_id'],
  product: ['/metadata/product/name'],
  productVersion: ['/metadata/product/version'],
} as const;
const POINTERS = [...new Set([...Object.values(PLACING), ...Object.values(DESCRIBING)].flat())];

const text = fc
  .string({ minLength: 1, maxLength: 20, unit: 'binary' })
  .filter((value) => value.trim() !== '');
const blank = fc.constantFrom('', ' ', '\t\n', null, undefined);
const otherType = fc.constantFrom<unknown[]>(0, 1.5, true, [], ['text'], {}, { uid: 'text' });

/** Text values by JSON Pointer. Any value may be missing or blank. */
const sparse = fc.record(Object.fromEntries(POINTERS.map((pointer) => [pointer, fc.oneof(text, blank)])));
const placed = fc
  .tuple(sparse, text, text)
  .map(([fields, uid, code]) => ({ ...fields, '/finding_info/uid': uid, '/metadata/event_code': code }));

for (const { what, seed } of TEST_SEEDS) {
  describe(`reading a detection finding, with ${what} properties (seed ${seed})`, () => {
    const holds = <Value>(values: fc.Arbitrary<Value>, check: (value: Value) => void) =>
      fc.assert(fc.property(values, check), { seed, numRuns: RUNS });

    it('reads each value from the first field that contains it, and defaults to the provider and account of the upload', () =>
      holds(placed, (fields) => {
        const found = finding(recordOf(fields));
        const resource = found.resources[0];
        const values = {
          ...found,
          resourceUid: resource?.uid ?? null,
          resourceName: resource?.name ?? null,
          resourceType: resource?.type ?? null,
          service: resource?.service ?? null,
        };
        for (const [name, pointers] of Object.entries(DESCRIBING))
          assert.equal(values[name as keyof typeof DESCRIBING], firstText(fields, pointers), name);
        assert.equal(found.uid, fields['/finding_info/uid']);
        assert.equal(found.checkId, fields['/metadata/event_code']);
        const visible = Object.fromEntries(
          Object.entries(fields).map(([pointer, value]) => [pointer, withoutInvisible(value)]),
        );
        const providerType = firstText(visible, PLACING.providerType) ?? DEFAULTS.provider;
        assert.equal(found.providerType, withoutInvisible(providerType.toLowerCase()));
        assert.equal(found.account, firstText(visible, PLACING.account) ?? DEFAULTS.account);
      }));

    it('reads all spellings of an account as the same account', () =>
      holds(
        fc.tuple(text, fc.constantFrom('NFC', 'NFD'), fc.constantFrom('\u200b', '\u2060', '')),
        (spelling) => {
          const [account, form, invisible] = spelling;
          const spelled = [...account.normalize(form)].join(invisible);
          const [one, other] = [account, spelled].map((uid) =>
            finding(valid({ cloud: { account: { uid } } }), DEFAULTS),
          );
          assert.equal(one?.account, other?.account);
        },
      ));

    it('rejects a record if a required field is missing or blank, and reports the field', () =>
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

    it('rejects a record if a required field has the wrong type, without trying the next field', () =>
      holds(
        fc.tuple(placed, fc.constantFrom(...Object.values(PLACING)), otherType),
        ([fields, pointers, wrong]) => {
          const { code, pointer } = rejection(recordOf({ ...fields, [pointers[0]]: wrong }));
          assert.deepEqual({ code, pointer }, { code: 'invalid_type', pointer: pointers[0] });
        },
      ));

    it('ignores a descriptive field of the wrong type', () =>
      holds(
        fc.tuple(placed, fc.constantFrom(...Object.values(DESCRIBING).flat()), otherType),
        ([fields, pointer, wrong]) => {
          const without = { ...fields, [pointer]: undefined };
          assert.deepEqual(finding(recordOf({ ...fields, [pointer]: wrong })), finding(recordOf(without)));
        },
      ));

    it('returns either a finding or a rejection with a pointer and a message for any JSON value', () =>
      holds(
        fc.oneof(
          fc.jsonValue(),
          fc.dictionary(fc.constantFrom('class_uid', 'finding_info', 'metadata', 'cloud'), fc.jsonValue()),
          fc
            .dictionary(fc.constantFrom('cloud', 'unmapped', 'status_code', 'time'), fc.jsonValue())
            .map((more) => valid(more)),
        ),
        (value) => {
          const result = readDetectionFinding(value, DEFAULTS);
          readCheckTexts(value, () => undefined);
          if (!isRejection(result)) return;
          assert.match(result.pointer, /^(\/[a-z_]+)*$/);
          assert.match(result.detail, /^\S.*\S$/s);
        },
      ));

    it('reads the same time from seconds, milliseconds and ISO 8601 text with any offset', () => {
      const withTime = (time: unknown) => finding(valid({ time }), { ...DEFAULTS, time: LATEST }).time;
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

    it('ignores times before 1970 and after 9999', () =>
      holds(fc.oneof(fc.double(), fc.string(), fc.date({ noInvalidDate: true }).map(String)), (time) => {
        const read = finding(valid({ time })).time;
        assert.ok(Number.isInteger(read) && read >= 0 && read <= 253_402_300_799_999, String(read));
      }));
  });
}

function clock(minutes: number): string {
  return [Math.floor(minutes / 60), minutes % 60].map((part) => String(part).padStart(2, '0')).join(':');
}

function firstText(fields: Fields, pointers: readonly string[]): string | null {
  const found = pointers.map((pointer) => fields[pointer]);
  return (found.find((value) => typeof value === 'string' && value.trim() !== '') as string | null) ?? null;
}

function withoutInvisible(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  return value
    .replace(/\p{Default_Ignorable_Code_Point}/gu, '')
    .normalize('NFC')
    .trim();
}
