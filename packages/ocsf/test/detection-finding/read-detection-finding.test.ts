import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type DetectionFinding, MAX_LENGTHS, readCheckTexts, readDetectionFinding } from '../../src/index.ts';
import { DEFAULTS, finding, LATEST, PLACING, recordOf, rejection, valid } from './read-record.ts';

/** Code and pointer of each warning. */
function warnings(record: unknown): string[] {
  const found: string[] = [];
  readDetectionFinding(record, DEFAULTS, ({ code, pointer, detail }) => {
    assert.match(detail, /^[A-Z].*\.$/s);
    found.push(`${code} ${pointer}`);
  });
  return found;
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
      [
        { resources: [{ uid: 'one' }, { type: 2 }, 3] },
        'invalid_type /resources/1/type',
        'invalid_type /resources/2',
      ],
      [{ cloud: { region: 1 }, resources: [{}, {}] }, 'invalid_type /cloud/region'],
      [{ cloud: { region: 1 }, resources: [{ region: 'eu' }] }, 'invalid_type /cloud/region'],
      [
        { resources: [{ labels: 'a' }, { labels: ['b', 3] }] },
        'invalid_type /resources/0/labels',
        'invalid_type /resources/1/labels/1',
      ],
      [{ resources: Array(101).fill({ uid: 'a' }) }, 'too_many_resources /resources'],
      [
        { resources: [{ labels: Array(60).fill('a') }, { labels: Array(41).fill('b') }] },
        'too_many_labels /resources/1/labels',
      ],
      [{ resources: [{ labels: ['x'.repeat(513)] }] }, 'text_shortened /resources/0/labels/0'],
      [{ metadata: { event_code: 'b', product: { name: 3 } } }, 'invalid_type /metadata/product/name'],
      [{ metadata: { event_code: 'b', product: { version: 3 } } }, 'invalid_type /metadata/product/version'],
      [{ metadata: { event_code: 'b', product: 'Scanner' } }, 'invalid_type /metadata/product'],
    ] as const)
      assert.deepEqual(warnings(valid(members)), expected, JSON.stringify(members));
    assert.deepEqual(
      warnings(valid({ status_code: 'WARN', resources: 1 })),
      [],
      'a rejected record caused warnings',
    );
  });

  it('reads the product and its version, and every resource with its labels', () => {
    const found = finding(
      valid({
        metadata: { event_code: 'b', product: { name: 'Scanner', version: '1.2.0' } },
        cloud: { region: 'eu' },
        resources: [
          {
            uid: 'one',
            name: 'One',
            type: 'Bucket',
            region: 'us',
            group: { name: 's3' },
            labels: ['a:b', ''],
          },
          { name: 'Two', namespace: 'default', labels: [3, 'c'] },
          null,
        ],
      }),
    );
    assert.deepEqual([found.product, found.productVersion], ['Scanner', '1.2.0']);
    assert.deepEqual(found.resources, [
      { uid: 'one', name: 'One', type: 'Bucket', region: 'us', service: 's3', labels: ['a:b', ''] },
      { uid: 'Two', name: 'Two', type: null, region: 'eu', service: null, labels: ['c'] },
      { uid: null, name: null, type: null, region: 'eu', service: null, labels: [] },
    ]);
    assert.equal(found.region, 'us');
    assert.equal(finding(valid({ cloud: { region: 'eu' }, resources: [] })).region, 'eu');
    const many = finding(valid({ resources: Array(120).fill({ uid: 'a', labels: ['b', 'c'] }) }));
    assert.equal(many.resources.length, 100);
    assert.equal(many.resources.flatMap(({ labels }) => labels).length, 100);
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
    assert.deepEqual([a.uid, a.resources[0]?.uid], [long('a'), long('a')]);
    const labels = ({ resources, scanUid }: DetectionFinding) => ({ ...resources[0], scanUid });
    for (const name of ['name', 'type', 'region', 'service', 'scanUid'] as const) {
      assert.equal(labels(a)[name]?.length, 512, name);
      assert.notEqual(labels(a)[name], labels(b)[name], name);
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
    const pairs = finding(valid({ resources: [{ type: '\u{1f600}'.repeat(400) }] })).resources[0]?.type ?? '';
    assert.ok(pairs.isWellFormed() && pairs.length <= 512);
    const { categories } = readCheckTexts({ unmapped: { categories: [long(''), 'short'] } }, () => undefined);
    assert.deepEqual(
      categories.map(({ length }) => length),
      [512, 5],
    );
  });
});
