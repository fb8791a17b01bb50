import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import {
  type DetectionFinding,
  isRejection,
  MAX_LENGTHS,
  type Rejection,
  readCheckTexts,
  readDetectionFinding,
} from '../../src/index.ts';
import { TEST_SEEDS } from '../fuzz/test-seeds.ts';

const RUNS = 2_000;
/** The latest time that a record may have. */
const LATEST = 253_402_300_799_999;
const DEFAULTS = { provider: 'part', account: 'part', time: 1_780_000_000_000 };

/** The source fields of each text value, in order of precedence. */
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

/** Text values by JSON Pointer. Any value may be missing or blank. */
const sparse = fc.record(Object.fromEntries(POINTERS.map((pointer) => [pointer, fc.oneof(text, blank)])));
const placed = fc
  .tuple(sparse, text, text)
  .map(([fields, uid, code]) => ({ ...fields, '/finding_info/uid': uid, '/metadata/event_code': code }));

/** Returns a class 2004 record with these fields. Omits fields that are `undefined`. */
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
  assert.ok(isRejection(result), 'the record was accepted');
  return result;
}

/** Code and pointer of each warning. */
function warnings(record: unknown): string[] {
  const found: string[] = [];
  readDetectionFinding(record, DEFAULTS, ({ code, pointer, detail }) => {
    assert.match(detail, /^[A-Z].*\.$/s);
    found.push(`${code} ${pointer}`);
  });
  return found;
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

/** Returns a valid record in which the given members replace the defaults. */
function valid(members: Fields = {}): Fields {
  return { ...recordOf({ '/finding_info/uid': 'a', '/metadata/event_code': 'b' }), ...members };
}

describe('reading a detection finding', () => {
  it('normalizes invisible characters and Unicode composition, and converts provider types and case-insensitive accounts to lowercase', () => {
    const guid = 'A1B2C3D4-0000-4000-8000-0123456789AB';
    const cases: [string, string, string, string][] = [
      ['Azure', guid, 'azure', guid.toLowerCase()],
      ['M365', guid, 'm365', guid.toLowerCase()],
      ['entra', guid, 'entra', guid.toLowerCase()],
      ['azure', 'My Subscription', 'azure', 'My Subscription'],
      ['aws', guid, 'aws', guid],
      ['OKTA', 'Acme.Okta.com', 'okta', 'acme.okta.com'],
      ['github', 'Acme', 'github', 'Acme'],
      ['gcp', 'cafe\u0301', 'gcp', 'caf\u00e9'],
      ['a\u200bw\u00ads\ufeff', '\u00a0\u2060123456789012\u200e ', 'aws', '123456789012'],
    ];
    for (const [provider, account, type, normalized] of cases) {
      const ofRecord = finding(valid({ cloud: { provider, account: { uid: account } } }));
      const ofUpload = finding(valid(), { ...DEFAULTS, provider, account });
      for (const found of [ofRecord, ofUpload])
        assert.deepEqual([found.providerType, found.account], [type, normalized]);
    }
    const unmapped = { provider_uid: 'next' };
    const invisible = finding(valid({ cloud: { account: { uid: '\u200b\u2060' } }, unmapped }));
    assert.equal(invisible.account, 'next');
  });

  it('maps status_code case-insensitively, and treats a finding as muted only if status_code is MUTED or status_id is 3', () => {
    for (const [status_code, status_id, status, muted] of [
      ['PASS', 1, 'PASS', false],
      ['FAIL', 2, 'FAIL', false],
      ['MANUAL', undefined, 'MANUAL', false],
      ['MUTED', 1, 'FAIL', true],
      ['PASS', 3, 'PASS', true],
      ['FAIL', '3', 'FAIL', true],
      ['pass', '1', 'PASS', false],
      ['Muted', 1, 'FAIL', true],
    ] as const) {
      const found = finding(valid({ status_code, status_id }));
      assert.deepEqual([found.status, found.muted], [status, muted], `${status_code} ${status_id}`);
    }
    for (const [status_code, code] of [
      [undefined, 'required'],
      [null, 'required'],
      ['', 'required'],
      [' \t', 'required'],
      ['failed', 'invalid_value'],
      [1, 'invalid_type'],
    ] as const)
      assert.equal(rejection(valid({ status_code })).code, code);
  });

  it('reads severity_id, otherwise the severity name, otherwise Unknown', () => {
    for (const [severity_id, severity, expected] of [
      [99, 'Low', 99],
      [17, ' MEDIUM ', 3],
      ['5', 'Low', 5],
      ['high', 'Low', 2],
      [undefined, 'Other', 99],
      [17, 'Terrible', 0],
      [undefined, undefined, 0],
    ] as const)
      assert.equal(
        finding(valid({ severity_id, severity })).severity,
        expected,
        `${severity_id} ${severity}`,
      );
  });

  it('accepts strings up to the maximum length', () => {
    for (const [pointers, maxLength] of [
      [PLACING.checkId, MAX_LENGTHS.check],
      [PLACING.providerType, MAX_LENGTHS.provider],
      [PLACING.account, MAX_LENGTHS.account],
    ] as const)
      for (const pointer of pointers) {
        const withLength = (length: number) =>
          recordOf({ '/finding_info/uid': 'a', '/metadata/event_code': 'b', [pointer]: 'x'.repeat(length) });
        finding(withLength(maxLength));
        const { code, detail } = rejection(withLength(maxLength + 1));
        assert.equal(code, 'invalid_value', pointer);
        assert.ok(detail.includes(`${maxLength + 1} characters`), detail);
      }
    const longerInLowerCase = rejection(
      valid({ cloud: { provider: '\u0130'.repeat(MAX_LENGTHS.provider) } }),
    );
    assert.deepEqual(
      [longerInLowerCase.code, longerInLowerCase.pointer],
      ['invalid_value', '/cloud/provider'],
    );
  });

  it('reads numbers from 1e11 as milliseconds, text without an offset as UTC, and rejects nonexistent days', () => {
    for (const [time, iso] of [
      [99_999_999_999, '5138-11-16T09:46:39.000Z'],
      ['1780000000', '2026-05-28T20:26:40.000Z'],
      [100_000_000_000, '1973-03-03T09:46:40.000Z'],
      [1_780_000_000.25, '2026-05-28T20:26:40.250Z'],
      ['2026-05-28 20:26:40.123456', '2026-05-28T20:26:40.123Z'],
      ['2028-02-29', '2028-02-29T00:00:00.000Z'],
      ['2026-02-30T00:00:00Z', new Date(LATEST).toISOString()],
    ] as const)
      assert.equal(new Date(finding(valid({ time }), { ...DEFAULTS, time: LATEST }).time).toISOString(), iso);
  });

  it('warns about ignored fields, but does not warn about valid records', () => {
    const whole = valid({
      severity_id: 4,
      severity: 'High',
      status_detail: 'It is public.',
      time: 1_700_000_000,
      cloud: { provider: 'aws', region: 'eu', account: { uid: '1', name: 'Production' } },
      unmapped: { scan_id: 'scan' },
      resources: [{ uid: 'one', name: 'One', type: 'Bucket', region: 'eu', group: { name: 's3' } }],
    });
    assert.deepEqual(warnings(whole), []);
    assert.deepEqual(
      warnings(valid({ cloud: null, unmapped: null, resources: null, severity: null, time: null })),
      [],
    );
    for (const [members, ...expected] of [
      [{ severity_id: 17, severity: 'Low' }, 'invalid_value /severity_id'],
      [{ severity_id: [4] }, 'invalid_value /severity_id'],
      [{ severity: 'Terrible' }, 'invalid_value /severity'],
      [{ severity: 4, severity_id: 4 }],
      [{ status_id: 'muted' }, 'invalid_type /status_id'],
      [{ status_id: [3] }, 'invalid_type /status_id'],
      [{ status_id: true, status_code: 'MUTED' }, 'invalid_type /status_id'],
      [{ status_id: ' ' }],
      [{ status_id: '99' }],
      [{ time: 'yesterday' }, 'invalid_value /time'],
      [{ time: {}, time_dt: 'never' }, 'invalid_value /time', 'invalid_value /time_dt'],
      [{ status_detail: 1, message: {} }, 'invalid_type /status_detail', 'invalid_type /message'],
      [{ cloud: { provider: 'aws', account: { uid: '1' } }, unmapped: 'text' }, 'invalid_type /unmapped'],
      [{ unmapped: { scan_id: 1 } }, 'invalid_type /unmapped/scan_id'],
      [{ resources: {} }, 'invalid_type /resources'],
      [{ resources: [1] }, 'invalid_type /resources/0'],
      [
        { resources: [{ uid: 1, name: [], type: {}, region: true }] },
        ...['name', 'uid', 'type', 'region'].map((name) => `invalid_type /resources/0/${name}`),
      ],
      [{ resources: [{ group: 's3' }] }, 'invalid_type /resources/0/group'],
      [{ resources: [{ group: { name: 3 } }] }, 'invalid_type /resources/0/group/name'],
      [{ resources: [{ uid: 'one' }, { uid: 'two' }, 3] }, 'several_resources /resources'],
    ] as const)
      assert.deepEqual(warnings(valid(members)), expected, JSON.stringify(members));
    assert.deepEqual(
      warnings(valid({ status_code: 'WARN', resources: 1 })),
      [],
      'a rejected record caused warnings',
    );
  });

  it('replaces a time that is later than the upload, and warns if the time is more than 5 minutes ahead', () => {
    const at = (ms: number) => [
      finding(valid({ time: ms })).time - DEFAULTS.time,
      warnings(valid({ time: ms })),
    ];
    assert.deepEqual(at(DEFAULTS.time - 1), [-1, []]);
    assert.deepEqual(at(DEFAULTS.time), [0, []]);
    assert.deepEqual(at(DEFAULTS.time + 5 * 60_000), [0, []]);
    assert.deepEqual(at(DEFAULTS.time + 5 * 60_000 + 1), [0, ['future_time /time']]);
    assert.deepEqual(warnings(valid({ time: null, time_dt: '9999-12-31T23:59:59Z' })), [
      'future_time /time_dt',
    ]);
  });

  it('shortens long labels to distinct strings of 512 characters with a warning, but never shortens finding identifiers', () => {
    const long = (end: string) => `${'x'.repeat(600)}${end}`;
    const read = (end: string) => {
      const text = long(end);
      const resource = { uid: text, name: text, type: text, region: text, group: { name: text } };
      return valid({ finding_info: { uid: text }, resources: [resource], unmapped: { scan_id: text } });
    };
    const [a, b] = [finding(read('a')), finding(read('b'))];
    assert.deepEqual([a.uid, a.resourceUid], [long('a'), long('a')]);
    for (const name of ['resourceName', 'resourceType', 'region', 'service', 'scanUid'] as const) {
      assert.equal(a[name]?.length, 512, name);
      assert.notEqual(a[name], b[name], name);
    }
    assert.deepEqual(
      warnings(read('a')),
      [
        '/resources/0/name',
        '/resources/0/type',
        '/resources/0/region',
        '/resources/0/group/name',
        '/unmapped/scan_id',
      ].map((pointer) => `text_shortened ${pointer}`),
    );
    const pairs = finding(valid({ resources: [{ type: '\u{1f600}'.repeat(400) }] })).resourceType ?? '';
    assert.ok(pairs.isWellFormed() && pairs.length <= 512);
    const { categories } = readCheckTexts({ unmapped: { categories: [long(''), 'short'] } }, () => undefined);
    assert.deepEqual(
      categories.map(({ length }) => length),
      [512, 5],
    );
  });
});

for (const { what, seed } of TEST_SEEDS) {
  describe(`reading a detection finding, with ${what} properties (seed ${seed})`, () => {
    const holds = <Value>(values: fc.Arbitrary<Value>, check: (value: Value) => void) =>
      fc.assert(fc.property(values, check), { seed, numRuns: RUNS });

    it('reads each value from the first field that contains it, and defaults to the provider and account of the upload', () =>
      holds(placed, (fields) => {
        const found = finding(recordOf(fields));
        for (const [name, pointers] of Object.entries(DESCRIBING)) {
          assert.equal(found[name as keyof DetectionFinding], firstText(fields, pointers), name);
        }
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
