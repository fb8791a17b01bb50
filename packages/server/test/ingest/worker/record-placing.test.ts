import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { arrayFile } from '../../support/array-file.ts';
import { type Client, createClient } from '../../support/client.ts';
import { assertOutcome, fileError, findingsOf } from '../../support/job-outcome.ts';
import { joinService, type SharedService } from '../../support/lanes.ts';
import { recordCases } from '../../support/record-cases.ts';
import { record, without } from '../../support/records.ts';

/** The required fields of a record ("Required fields" in `docs/ingesting.md`). */
describe('record fields that identify a finding', () => {
  let service: SharedService;
  let client: Client;
  before(async () => {
    service = await joinService();
    client = createClient(service.url, service.key);
  });
  after(() => service.leave());

  const { stores, rejects } = recordCases(() => ({ service, client }));

  it('accepts only records whose class_uid is the number 2004', () =>
    rejects([
      [record({ class_uid: 2003 }), 'unsupported_class', '/class_uid', /Class 2003 is not supported/],
      [record({ class_uid: 2004.5 }), 'unsupported_class', '/class_uid', /Class 2004.5 is not supported/],
      [without('class_uid'), 'unsupported_class', '/class_uid', /has no class_uid.*class 2004/],
      [record({ class_uid: null }), 'unsupported_class', '/class_uid', /has no class_uid/],
      [
        record({ class_uid: '2004' }),
        'invalid_type',
        '/class_uid',
        /Expected the number 2004, got the string "2004"/,
      ],
      [record({ class_uid: [2004] }), 'invalid_type', '/class_uid', /Expected the number 2004, got an array/],
    ]));

  it('adds a file error when all records in a file have a different class', async () => {
    const { bytes, offsets } = arrayFile([record({ class_uid: 2003 }), record({ class_uid: 2003 })]);
    const error = {
      code: 'unsupported_class',
      pointer: '/class_uid',
      finding_uid: 'finding-1',
      detail: /2003/,
    };
    const job = await client.ingest(bytes);
    await assertOutcome(client, job, {
      total: 2,
      invalid: 2,
      errors: [
        fileError('no_detection_findings', 0, /contains no Detection Findings/),
        { ...error, record_index: 0, byte_offset: offsets[0] ?? 0 },
        { ...error, record_index: 1, byte_offset: offsets[1] ?? 0 },
      ],
    });
    assert.deepEqual(await findingsOf(service, job), []);
  });

  it('adds no file error when the only class 2004 record in a file is invalid', async () => {
    const { bytes, offsets } = arrayFile([without('metadata')]);
    const error = {
      code: 'required',
      pointer: '/metadata/event_code',
      detail: /does not identify its check/,
      finding_uid: 'finding-1',
    };
    const errors = [{ ...error, record_index: 0, byte_offset: offsets[0] ?? 0 }];
    await assertOutcome(client, await client.ingest(bytes), { total: 1, invalid: 1, errors });
  });

  it('requires finding_info.uid as a non-blank string of any length', async () => {
    const pointer = '/finding_info/uid';
    await rejects([
      [without('finding_info.uid'), 'required', pointer, /Set finding_info.uid to a non-blank string/],
      [without('finding_info'), 'required', pointer, /does not identify its/],
      [record({ finding_info: { uid: null } }), 'required', pointer, /does not identify its/],
      [record({ finding_info: { uid: '' } }), 'required', pointer, /does not identify its/],
      [record({ finding_info: { uid: ' \t\n' } }), 'required', pointer, /does not identify its/],
      [
        record({ finding_info: { uid: 17 } }),
        'invalid_type',
        pointer,
        /Expected a string, got the number 17/,
      ],
      [record({ finding_info: { uid: {} } }), 'invalid_type', pointer, /Expected a string, got an object/],
      [
        record({ finding_info: 'x' }),
        'invalid_type',
        '/finding_info',
        /Expected an object, got the string "x"/,
      ],
      [record({ finding_info: [] }), 'invalid_type', '/finding_info', /Expected an object, got an array/],
    ]);
    const long = 'u'.repeat(10_000);
    await stores([[record({ finding_info: { uid: long } }), long]], ({ uid }) => uid.replace(/^[\d.]+-/, ''));
  });

  it('requires metadata.event_code as a non-blank string of at most 512 characters', async () => {
    const pointer = '/metadata/event_code';
    await rejects([
      [without('metadata.event_code'), 'required', pointer, /Set metadata.event_code to a non-blank string/],
      [without('metadata'), 'required', pointer, /does not identify its/],
      [record({ metadata: { event_code: ' ' } }), 'required', pointer, /does not identify its/],
      [
        record({ metadata: { event_code: false } }),
        'invalid_type',
        pointer,
        /Expected a string, got the boolean false/,
      ],
      [record({ metadata: 4 }), 'invalid_type', '/metadata', /Expected an object, got the number 4/],
      [
        record({ metadata: { event_code: 'c'.repeat(513) } }),
        'invalid_value',
        pointer,
        /513 characters long; the maximum is 512/,
      ],
    ]);
    const long = '€'.repeat(512);
    await stores([[record({ metadata: { event_code: long } }), long]], ({ check_id }) => check_id);
  });

  it('reads the provider from cloud.provider, unmapped.provider or the form field, in lowercase', async () => {
    const withoutField = without('cloud.provider');
    const unmapped = record({ unmapped: { provider: 'GitHub' } });
    await stores(
      [
        [unmapped, 'aws'],
        [without('cloud.provider', unmapped), 'github'],
        [record({ cloud: { provider: null }, unmapped: { provider: 'GitHub' } }), 'github'],
        [record({ cloud: { provider: ' ' }, unmapped: { provider: ' GCP ' } }), 'gcp'],
        [record({ cloud: { provider: 'KUBERNETES' } }), 'kubernetes'],
        [withoutField, 'from-the-part'],
        [without('cloud.provider', record({ unmapped: { provider: '' } })), 'from-the-part'],
      ],
      ({ provider }) => provider,
      { parts: { provider: ' From-The-Part ' } },
    );
    await stores([[without('cloud', without('unmapped')), 'aws']], ({ provider }) => provider, {
      parts: { provider: 'AWS', account: '1' },
    });
    await rejects([
      [withoutField, 'required', '/cloud/provider', /Set cloud.provider or unmapped.provider, .* 'provider'/],
    ]);
  });

  it('rejects a provider of the wrong type instead of falling back to the next source', () =>
    rejects(
      [
        [
          record({ cloud: { provider: 5 }, unmapped: { provider: 'gcp' } }),
          'invalid_type',
          '/cloud/provider',
          /Expected a string, got the number 5/,
        ],
        [record({ cloud: 'aws' }), 'invalid_type', '/cloud', /Expected an object, got the string "aws"/],
        [
          without('cloud.provider', record({ unmapped: { provider: ['gcp'] } })),
          'invalid_type',
          '/unmapped/provider',
          /an array/,
        ],
        [
          without('cloud.provider', record({ unmapped: 'gcp' })),
          'invalid_type',
          '/unmapped',
          /Expected an object, got the string "gcp"/,
        ],
        [
          record({ cloud: { provider: 'p'.repeat(101) } }),
          'invalid_value',
          '/cloud/provider',
          /101 characters long; the maximum is 100/,
        ],
      ],
      { parts: { provider: 'aws' } },
    ));

  it('reads the account from cloud.account.uid, unmapped.provider_uid or the form field', async () => {
    const withoutField = without('cloud.account.uid');
    const unmapped = record({ unmapped: { provider_uid: 'from-unmapped' } });
    await stores(
      [
        [unmapped, '111122223333'],
        [without('cloud.account.uid', unmapped), 'from-unmapped'],
        [without('cloud.account', unmapped), 'from-unmapped'],
        [
          record({ cloud: { account: null }, unmapped: { provider_uid: ' from-unmapped ' } }),
          'from-unmapped',
        ],
        [
          record({ cloud: { account: { uid: ' ' } }, unmapped: { provider_uid: 'from-unmapped' } }),
          'from-unmapped',
        ],
        [withoutField, 'From The Part'],
        [without('cloud.account.uid', record({ unmapped: { provider_uid: '' } })), 'From The Part'],
      ],
      ({ account }) => account,
      { parts: { account: ' From The Part ' } },
    );
    await rejects([
      [
        withoutField,
        'required',
        '/cloud/account/uid',
        /Set cloud.account.uid or unmapped.provider_uid, .* 'account'/,
      ],
    ]);
  });

  it('rejects an account of the wrong type instead of falling back to the next source', () =>
    rejects(
      [
        [
          record({ cloud: { account: { uid: 111122223333 } } }),
          'invalid_type',
          '/cloud/account/uid',
          /Expected a string, got the number 111122223333/,
        ],
        [
          record({ cloud: { account: '1' } }),
          'invalid_type',
          '/cloud/account',
          /Expected an object, got the string "1"/,
        ],
        [
          without('cloud.account', record({ unmapped: { provider_uid: true } })),
          'invalid_type',
          '/unmapped/provider_uid',
          /boolean/,
        ],
        [
          record({ cloud: { account: { uid: 'a'.repeat(513) } } }),
          'invalid_value',
          '/cloud/account/uid',
          /513 characters long; the maximum is 512/,
        ],
      ],
      { parts: { account: '1' } },
    ));

  it('identifies a resource by the uid of the first entry in resources, or by the name if the uid is missing', () => {
    const withResources = (resources: unknown) => record({ resources });
    return stores<string | null>(
      [
        [withResources([{ uid: 'u', name: 'n' }, { uid: 'second' }]), 'u'],
        [withResources([{ uid: '', name: 'n' }]), 'n'],
        [withResources([{ uid: 7, name: 'n' }]), 'n'],
        [withResources([{ name: 'n' }]), 'n'],
        [withResources([{ type: 'Bucket' }, { uid: 'second' }]), null],
        [withResources([null, { uid: 'second' }]), null],
        [withResources([]), null],
        [withResources({ uid: 'u' }), null],
        [without('resources'), null],
      ],
      ({ resource_uid }) => resource_uid,
    );
  });
});
