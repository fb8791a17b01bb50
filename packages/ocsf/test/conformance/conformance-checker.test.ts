import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { findMissingAttributes, MAX_DEPTH } from '../../src/conformance/missing-attributes.ts';
import { REQUIRED_ATTRIBUTES } from '../../src/conformance/required-attributes.ts';
import { ConformanceChecker } from '../../src/index.ts';
import { compileWasm, instantiateWasm } from '../../src/load-wasm.ts';
import { type Fields, recordOf } from '../detection-finding/read-record.ts';
import { checkRecords } from './check-records.ts';

/** A record without missing attributes in any version, in which the given values replace the defaults. */
function complete(values: Fields = {}): Record<string, unknown> {
  return recordOf({
    '/activity_id': 1,
    '/category_uid': 2,
    '/finding_info': { uid: 'a', title: 'A' },
    '/metadata': {
      version: '1.5.0',
      event_code: 'check',
      product: { vendor_name: 'Vendor', name: 'Scanner' },
    },
    '/severity_id': 1,
    '/time': 1_780_000_000,
    '/type_uid': 200401,
    ...values,
  });
}

/** Returns the pointers of the missing attributes of a record, which are the same if it is parsed in full. */
function missingIn(record: Record<string, unknown>): readonly string[] {
  const [checked] = checkRecords([JSON.stringify(record)]);
  assert.deepEqual(
    checked?.pointers,
    findMissingAttributes(record)
      .map(({ pointer }) => pointer)
      .sort(),
  );
  return checked?.pointers ?? [];
}

const versionOf = (version: unknown) => ({ '/metadata/version': version });

describe('a required attribute', () => {
  it('is missing if it is absent or null, but not if it is an empty text or list', () => {
    assert.deepEqual(missingIn(complete()), []);
    assert.deepEqual(missingIn(complete({ '/activity_id': undefined })), ['/activity_id']);
    assert.deepEqual(missingIn(complete({ '/activity_id': null, '/time': null })), ['/activity_id', '/time']);
    assert.deepEqual(missingIn(complete({ '/activity_id': '', '/time': [], '/type_uid': 0 })), []);
  });

  it('is required only in some versions if the schema limits it to them', () => {
    for (const [version, missing] of [
      ['1.1.0', ['/finding_info/title', '/metadata/product/vendor_name']],
      ['1.3.0', ['/finding_info/title', '/metadata/product/vendor_name']],
      ['1.3.9', ['/finding_info/title', '/metadata/product/vendor_name']],
      ['1.4.0', []],
      ['1.8.0', []],
    ] as const) {
      const parts = { '/finding_info': { uid: 'a' }, '/metadata/product': {}, ...versionOf(version) };
      assert.deepEqual(missingIn(complete(parts)), missing, version);
    }
  });

  it('is not checked in records of other versions and of pre-releases', () => {
    for (const version of [
      '1.0.0',
      '1.9.0',
      '1.10.0',
      '2.0.0',
      '1.5.0-dev',
      '1.5.0-rc.2',
      'v1.5.0',
      '',
      1.5,
      ['1.5.0'],
    ])
      assert.deepEqual(missingIn(recordOf({ ...versionOf(version) })), [], JSON.stringify(version));
    for (const version of ['1.5.0', '1.5.1', '1.5'])
      assert.notDeepEqual(missingIn(recordOf({ ...versionOf(version) })), [], version);
  });

  it('is reported as the only one if the record has no version', () => {
    for (const version of [undefined, null])
      assert.deepEqual(missingIn(recordOf({ '/metadata/event_code': 'check', ...versionOf(version) })), [
        '/metadata/version',
      ]);
  });

  it('of a profile is required in records with this profile', () => {
    for (const [profiles, missing] of [
      [undefined, []],
      [[], []],
      [['cloud'], ['/cloud']],
      [['datetime', 'cloud'], ['/cloud']],
      [
        ['osint', 'cloud'],
        ['/cloud', '/osint'],
      ],
      ['cloud', []],
    ] as const)
      assert.deepEqual(
        missingIn(complete({ '/metadata/profiles': profiles })),
        missing,
        JSON.stringify(profiles),
      );
    assert.deepEqual(missingIn(complete({ '/metadata/profiles': ['cloud'], '/cloud': {} })), [
      '/cloud/provider',
    ]);
    assert.deepEqual(missingIn(complete({ '/cloud': {} })), []);
  });

  it('is required in objects that are present, and in each element of an array', () => {
    assert.deepEqual(
      missingIn(complete({ '/finding_info/analytic': {}, '/remediation': { references: [] } })),
      ['/finding_info/analytic/type_id', '/remediation/desc'],
    );
    const hashes = [{ algorithm_id: 3, value: 'a' }, { value: 'b' }, { value: 'c' }, {}];
    const file = { name: 'a', type_id: 1, hashes };
    assert.deepEqual(
      missingIn(complete({ '/evidences': [{}, { file }, { file: { name: 'b', type_id: 1 } }] })),
      ['/evidences/*/file/hashes/*/algorithm_id', '/evidences/*/file/hashes/*/value'],
    );
  });

  it('is searched in all elements of a long list of resources', () => {
    const resources: object[] = Array.from({ length: 150 }, (_, at) => ({ uid: String(at) }));
    assert.deepEqual(missingIn(complete({ '/resources': resources })), []);
    for (const at of [99, 100, 101, 149])
      assert.deepEqual(
        missingIn(complete({ '/resources': resources.with(at, { resource_relationship: {} }) })),
        ['/resources/*/resource_relationship/nodes'],
      );
  });

  it('is not searched in values of another type', () => {
    for (const value of ['text', 1, true, [{}], [[{}]], []])
      assert.deepEqual(missingIn(complete({ '/finding_info/analytic': value })), [], JSON.stringify(value));
    for (const value of ['text', {}, { file: {} }, [[{ file: {} }]], [null, 1, 'text']])
      assert.deepEqual(missingIn(complete({ '/evidences': value })), [], JSON.stringify(value));
  });

  it('is searched up to five objects below the record', () => {
    const nested = (levels: number): object =>
      levels === 0 ? { file: {} } : { parent_process: nested(levels - 1) };
    const at = (levels: number) => missingIn(complete({ '/evidences': [{ process: nested(levels) }] }));
    assert.deepEqual(at(0), ['/evidences/*/process/file/name', '/evidences/*/process/file/type_id']);
    assert.equal(at(2).length, 2);
    assert.equal(at(3).length, 0);
  });

  it('is found in any order of the keys, and if keys are escaped or repeated', () => {
    const text = (keys: string) =>
      `{"class_uid": 2004, ${keys}, "severity_id": 1, "time": 1, "type_uid": 1, "category_uid": 2, "activity_id": 1}`;
    const metadata = '{"version": "1.5.0", "product": {}}';
    const cases = [
      [`"finding_info": {"title": "A"}, "metadata": ${metadata}`, ['/finding_info/uid']],
      [`"metadata": ${metadata}, "finding_info": {"title": "A"}`, ['/finding_info/uid']],
      [`"\\u006detadata": ${metadata}, "finding_info": {"u\\u0069d": "a"}`, []],
      [`"metadata": ${metadata}, "finding_info": {"\\u0075id": null}`, ['/finding_info/uid']],
      [`"metadata": ${metadata}, "finding_info": {"uid": "a"}, "finding_info": {}`, ['/finding_info/uid']],
      [`"metadata": ${metadata}, "finding_info": {}, "finding_info": {"uid": "a"}`, []],
      [`"metadata": ${metadata}, "finding_info": {"uid": "a", "uid": null}`, ['/finding_info/uid']],
      [`"metadata": ${metadata}, "finding_info": {"uid": "a", "uid_": null, "ui": null}`, []],
      [
        `"metadata": {"version": "1.0.0", "version": "1.5.0"}, "finding_info": {"uid": "a"}`,
        ['/metadata/product'],
      ],
    ] as const;
    const checked = checkRecords(cases.map(([keys]) => text(keys)));
    for (const [index, [keys, missing]] of cases.entries())
      assert.deepEqual(checked[index]?.pointers, missing, keys);
    assert.deepEqual(
      checked.map(({ isExtracted }) => isExtracted),
      [true, true, false, false, false, false, false, true, false],
    );
  });

  it('is found in records with any number of different objects', () => {
    const file = (at: number) => (at % 2 === 0 ? { file: { name: 'a' } } : { file: { type_id: 1 } });
    const withFiles = (length: number) =>
      complete({ '/evidences': Array.from({ length }, (_, at) => file(at)) });
    const lengths = [10, 100, 1000, 5000];
    const records = Array.from({ length: 200 }, (_, at) => withFiles(lengths[at % 4] ?? 0));
    const checked = checkRecords(records.map((record) => JSON.stringify(record)));
    for (const { pointers } of checked)
      assert.deepEqual(pointers, ['/evidences/*/file/name', '/evidences/*/file/type_id']);
    // Records with too many of them are parsed in full.
    assert.deepEqual(
      checked.slice(0, 4).map(({ isExtracted }) => isExtracted),
      [true, true, false, false],
    );
  });

  it('is described with the version and the profile that require it', () => {
    const [checked] = checkRecords([
      JSON.stringify(complete({ '/metadata/profiles': ['cloud'], '/time': undefined })),
    ]);
    assert.deepEqual(checked?.details, [
      'OCSF 1.5 requires this attribute in records with the profile cloud, but it is missing or null.',
      'OCSF 1.5 requires this attribute, but it is missing or null.',
    ]);
  });

  it('is found in each of several records that differ only in their profiles', () => {
    const profiles = [['cloud'], [], ['cloud'], ['osint'], null, ['osint', 'cloud'], ['osint', 'cloud']];
    const records = profiles.map((each) => JSON.stringify(complete({ '/metadata/profiles': each })));
    assert.deepEqual(
      checkRecords(records).map(({ pointers }) => pointers),
      [['/cloud'], [], ['/cloud'], ['/osint'], [], ['/cloud', '/osint'], ['/cloud', '/osint']],
    );
  });

  it('is found in each of many records with different versions, profiles and missing attributes', () => {
    const records = Array.from({ length: 3000 }, (_, at) =>
      complete({
        '/metadata/version': at % 2 === 0 ? '1.3.0' : '1.4.0',
        '/metadata/product': {},
        '/metadata/profiles': at % 3 === 0 ? ['osint', `profile ${at}`] : [],
        ...(at % 5 === 0 && { '/time': null }),
      }),
    );
    const expected = records.map((_, at) => [
      ...(at % 2 === 0 ? ['/metadata/product/vendor_name'] : []),
      ...(at % 3 === 0 ? ['/osint'] : []),
      ...(at % 5 === 0 ? ['/time'] : []),
    ]);
    const checked = checkRecords(records.map((record) => JSON.stringify(record)));
    assert.deepEqual(
      checked.map(({ pointers }) => pointers),
      expected,
    );
  });
});

describe('the list of required attributes', () => {
  it('names only types that exist, and the scanner searches them up to the same depth', () => {
    for (const [type, attributes] of Object.entries(REQUIRED_ATTRIBUTES))
      for (const [name, { object }] of Object.entries(attributes))
        assert.ok(object === undefined || object in REQUIRED_ATTRIBUTES, `${type}.${name}`);
    const file = new URL('../../src/extract/scan-fields.wasm', import.meta.url);
    const { MAX_TRACKED_DEPTH } = instantiateWasm<Record<string, WebAssembly.Global>>(compileWasm(file));
    assert.equal(MAX_TRACKED_DEPTH?.value, MAX_DEPTH);
  });
});

describe('a conformance checker', () => {
  it('finds nothing in a value that is not an object', () => {
    for (const value of [null, 'text', 1, []])
      assert.deepEqual(new ConformanceChecker().check(value, undefined), []);
  });
});
