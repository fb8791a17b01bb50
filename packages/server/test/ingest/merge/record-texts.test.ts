import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { arrayFile } from '../../support/array-file.ts';
import { type Client, createClient } from '../../support/client.ts';
import { assertOutcome, findingsOf } from '../../support/job-outcome.ts';
import { joinService, type SharedService } from '../../support/lanes.ts';
import { recordCases } from '../../support/record-cases.ts';
import { record, without } from '../../support/records.ts';

/** Fields that no version of OCSF defines. */
const UNKNOWN_FIELDS = {
  colour: 'red',
  'finding_info.uid': 'not this one',
  __proto: { class_uid: 1 },
  nested: [{ deep: [[[null]]] }, 1e308, -0.5, true],
  activity_id: 12_345,
};
const CHECK_TEXTS = 'title, description, risk, remediation, "references", categories';

describe('descriptive record fields', () => {
  let service: SharedService;
  let client: Client;
  before(async () => {
    service = await joinService();
    client = createClient(service.url, service.key);
  });
  after(() => service.leave());

  const { stores } = recordCases(() => ({ service, client }));
  const completes = async (records: Record<string, unknown>[]) => {
    const job = await client.ingest(records);
    await assertOutcome(client, job, { total: records.length, invalid: 0, errors: [] });
    return await findingsOf(service, job);
  };

  it('stores record fields in columns of the finding and the check', async () => {
    const [finding] = await completes([
      record({ finding_info: { uid: 'whole' }, metadata: { event_code: 'whole' } }),
    ]);
    assert.ok(finding);
    const { last_seen_at, ...rest } = finding;
    assert.deepEqual(rest, {
      record_index: 0,
      uid: 'whole',
      check_id: 'whole',
      provider: 'aws',
      account: '111122223333',
      account_name: 'Production',
      status: 'FAIL',
      severity: 4,
      muted: false,
      resource_uid: 'arn:aws:s3:::one',
      resource_name: 'one',
      resource_type: 'Bucket',
      region: 'eu-central-1',
      service: 's3',
      scan_uid: '0198a000-0000-7000-8000-000000000001',
      status_detail: 'The bucket is public.',
    });
    assert.equal(last_seen_at.toISOString(), '2026-05-28T20:26:40.000Z');
    assert.deepEqual(await service.sql(`select ${CHECK_TEXTS} from checks where check_id = 'whole'`), [
      {
        title: 'Buckets are not public',
        description: null,
        risk: 'Anybody can read it.',
        remediation: 'Block public access.',
        references: ['https://example.com/buckets'],
        categories: ['internet-exposed'],
      },
    ]);
  });

  it('stores a long status detail without truncation', async () => {
    const details = ['€', 'a', '\t\\N\n'].map((text) => text.repeat(100_000));
    const stored = await completes(
      details.map((status_detail, at) => record({ status_detail, finding_info: { uid: `long-${at}` } })),
    );
    const storedDetails = stored
      .toSorted((a, b) => a.record_index - b.record_index)
      .map((one) => one.status_detail);
    assert.ok(details.every((detail, at) => storedDetails[at] === detail));
  });

  it('accepts records with unknown fields of any type', async () => {
    const valid = record({ finding_info: { uid: 'strange', colour: 'blue' } });
    const [finding] = await completes([{ ...UNKNOWN_FIELDS, ...valid, ...UNKNOWN_FIELDS }]);
    assert.deepEqual([finding?.uid, finding?.severity], ['strange', 4]);
  });

  it('leaves a column empty when an optional field has the wrong type', async () => {
    const invalid = record({
      finding_info: { uid: 'wrong', title: 1, desc: [] },
      metadata: { event_code: 'wrong' },
      cloud: { account: { uid: 'wrong', name: 7 }, region: {} },
      resources: [{ uid: {}, name: 3, type: true, region: [], group: 'x', namespace: 0 }],
      status_detail: 12,
      message: {},
      risk_details: false,
      remediation: 'x',
      unmapped: { categories: 'x', scan_id: 9 },
    });
    const [finding] = await completes([invalid]);
    assert.ok(finding);
    const { account_name, resource_uid, resource_name, resource_type, region, scan_uid, status_detail } =
      finding;
    assert.deepEqual(
      [
        account_name,
        resource_uid,
        resource_name,
        resource_type,
        region,
        finding.service,
        scan_uid,
        status_detail,
      ],
      Array(8).fill(null),
    );
    assert.deepEqual(await service.sql(`select ${CHECK_TEXTS} from checks where check_id = 'wrong'`), [
      { title: null, description: null, risk: null, remediation: null, references: [], categories: [] },
    ]);
  });

  it('keeps the strings in a list that also contains values of other types', async () => {
    await completes([
      record({
        finding_info: { uid: 'lists' },
        metadata: { event_code: 'lists' },
        remediation: { references: ['one', 2, null, ['three'], 'four'] },
        unmapped: {
          categories: [{}, 'five'],
          compliance: { 'CIS-1.5': ['1.20', 3], 'a/b~c': ['x', '1.1'], none: 'all', empty: [] },
        },
      }),
    ]);
    assert.deepEqual(
      await service.sql(`select "references", categories, compliance from checks where check_id = 'lists'`),
      [
        {
          references: ['one', 'four'],
          categories: ['five'],
          compliance: ['CIS-1.5 1.20', 'a/b~c x', 'a/b~c 1.1'],
        },
      ],
    );
  });

  it('falls back to the next source for the region and the status detail when the first source is missing', async () => {
    const withRegion = (region: unknown, cloud: unknown, namespace: unknown) =>
      record({ resources: [{ region, namespace }], cloud: { region: cloud } });
    await stores<string | null>(
      [
        [withRegion('of-resource', 'of-cloud', 'namespace'), 'of-resource'],
        [withRegion('', 'of-cloud', 'namespace'), 'of-cloud'],
        [withRegion(undefined, undefined, 'namespace'), 'namespace'],
      ],
      ({ region }) => region,
    );
    await stores<string | null>(
      [
        [record({ message: 'message' }), 'The bucket is public.'],
        [without('status_detail', record({ message: 'message' })), 'message'],
      ],
      ({ status_detail }) => status_detail,
    );
  });

  it('replaces U+0000 and lone surrogates with U+FFFD in every text column', async () => {
    const text = (odd: string) => `a${odd}b`;
    const withEscape = (uid: string, odd: string) =>
      JSON.stringify(
        record({
          finding_info: { uid, title: 'X' },
          metadata: { event_code: uid },
          cloud: { provider: 'X', account: { uid: `X${uid}`, name: 'X' } },
          resources: [{ uid: 'X', name: 'X', type: 'X', region: 'X', group: { name: 'X' } }],
          status_detail: 'X',
          unmapped: { scan_id: 'X', categories: ['X'] },
        }),
      ).replaceAll('X', text(odd));
    const escapes = ['\\u0000', '\\ud800', '\\udc00', '\\udc00\\ud800', '\\ud83d\\ude00'];
    const replaced = ['\ufffd', '\ufffd', '\ufffd', '\ufffd\ufffd', '😀'];
    const { bytes } = arrayFile(escapes.map((odd, index) => withEscape(`odd-${index}`, odd)));
    const job = await client.ingest(bytes);
    await assertOutcome(client, job, { total: escapes.length, invalid: 0, errors: [] });
    for (const [index, finding] of (await findingsOf(service, job)).entries()) {
      const expected = text(replaced[index] ?? '');
      const { provider, account, account_name, resource_uid, resource_name, resource_type, region } = finding;
      assert.deepEqual(
        [provider, account_name, resource_uid, resource_name, resource_type, region, finding.service],
        Array(7).fill(expected),
      );
      assert.deepEqual([finding.scan_uid, finding.status_detail], [expected, expected]);
      assert.equal(account, `${expected}odd-${index}`);
      const [check] = await service.sql('select title, categories from checks where check_id = $1', [
        `odd-${index}`,
      ]);
      assert.deepEqual(check, { title: expected, categories: [expected] });
    }
  });

  it('replaces U+0000 and lone surrogates with U+FFFD in the UIDs of valid and rejected records', async () => {
    const odd = '"odd\\u0000\\ud800"';
    const json = (members: Record<string, unknown>) =>
      JSON.stringify(record(members)).replaceAll('"ODD"', odd);
    const { bytes, offsets } = arrayFile([
      json({ finding_info: { uid: 'ODD' }, metadata: { event_code: 'ODD' } }),
      json({ finding_info: { uid: 'ODD' }, status_code: 'ODD' }),
    ]);
    const job = await client.ingest(bytes);
    const error = {
      code: 'invalid_value',
      record_index: 1,
      byte_offset: offsets[1] ?? 0,
      pointer: '/status_code',
    };
    const detail = /got the string "odd\\u0000\\ud800"/;
    const errors = [{ ...error, finding_uid: 'odd\ufffd\ufffd', detail }];
    await assertOutcome(client, job, { total: 2, invalid: 1, errors });
    const [finding] = await findingsOf(service, job);
    assert.deepEqual([finding?.uid, finding?.check_id], ['odd\ufffd\ufffd', 'odd\ufffd\ufffd']);
  });

  it('stores tabs, line breaks, backslashes and quotes unchanged', async () => {
    const text = 'a\tb\nc\r\nd\\N\\.e"f\'g\u2028\u007f';
    const [finding] = await completes([record({ finding_info: { uid: 'special' }, status_detail: text })]);
    assert.equal(finding?.status_detail, text);
  });

  it('stores records with the same uid as separate findings per resource, check and account', async () => {
    const shared = { finding_info: { uid: 'shared' } };
    const stored = await completes([
      record(shared),
      record({ ...shared, resources: [{ uid: 'other' }] }),
      record({ ...shared, metadata: { event_code: 'other' } }),
      record({ ...shared, cloud: { account: { uid: 'other' } } }),
      // Repeats the first finding; FAIL takes precedence.
      record({ ...shared, status_code: 'PASS' }),
    ]);
    assert.deepEqual(
      stored.map(({ record_index, status }) => [record_index, status]),
      [
        [0, 'FAIL'],
        [1, 'FAIL'],
        [2, 'FAIL'],
        [3, 'FAIL'],
      ],
    );
  });
});
