import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { arrayFile } from '../support/array-file.ts';
import { type Client, createClient } from '../support/client.ts';
import { assertOutcome, fileError, findingsOf } from '../support/job-outcome.ts';
import { joinService, type SharedService } from '../support/lanes.ts';
import { recordCases } from '../support/record-cases.ts';
import { record, without } from '../support/records.ts';

/** What design.md, section 3, says a record needs to be placed. */
describe('identifying fields of a record', () => {
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
      [record({ class_uid: 2003 }), 'unsupported_class', '/class_uid', /class_uid is 2003; only 2004/],
      [record({ class_uid: 2004.5 }), 'unsupported_class', '/class_uid', /class_uid is 2004.5; only 2004/],
      [without('class_uid'), 'unsupported_class', '/class_uid', /class_uid is missing; only 2004/],
      [record({ class_uid: null }), 'unsupported_class', '/class_uid', /class_uid is missing/],
      [record({ class_uid: '2004' }), 'invalid_type', '/class_uid', /the string "2004"; the number 2004/],
      [record({ class_uid: [2004] }), 'invalid_type', '/class_uid', /an array; the number 2004/],
    ]));

  it('adds a file error when all records of a file have other classes', async () => {
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
        fileError('no_detection_findings', 0, /Detection Finding \(class_uid 2004\)/),
        { ...error, record_index: 0, byte_offset: offsets[0] ?? 0 },
        { ...error, record_index: 1, byte_offset: offsets[1] ?? 0 },
      ],
    });
    assert.deepEqual(await findingsOf(service, job), []);
  });

  it('adds no file error when the only record of class 2004 in a file is invalid', async () => {
    const { bytes, offsets } = arrayFile([without('metadata')]);
    const error = {
      code: 'required',
      pointer: '/metadata/event_code',
      detail: /missing/,
      finding_uid: 'finding-1',
    };
    const errors = [{ ...error, record_index: 0, byte_offset: offsets[0] ?? 0 }];
    await assertOutcome(client, await client.ingest(bytes), { total: 1, invalid: 1, errors });
  });

  it('requires finding_info.uid as a non-blank string of any length', async () => {
    const pointer = '/finding_info/uid';
    await rejects([
      [without('finding_info.uid'), 'required', pointer, /finding_info.uid, .* is missing or blank/],
      [without('finding_info'), 'required', pointer, /missing or blank/],
      [record({ finding_info: { uid: null } }), 'required', pointer, /missing or blank/],
      [record({ finding_info: { uid: '' } }), 'required', pointer, /missing or blank/],
      [record({ finding_info: { uid: ' \t\n' } }), 'required', pointer, /missing or blank/],
      [record({ finding_info: { uid: 17 } }), 'invalid_type', pointer, /the number 17; a string/],
      [record({ finding_info: { uid: {} } }), 'invalid_type', pointer, /an object; a string/],
      [record({ finding_info: 'x' }), 'invalid_type', '/finding_info', /the string "x"; an object/],
      [record({ finding_info: [] }), 'invalid_type', '/finding_info', /an array; an object/],
    ]);
    const long = 'u'.repeat(10_000);
    await stores([[record({ finding_info: { uid: long } }), long]], ({ uid }) => uid.replace(/^[\d.]+-/, ''));
  });

  it('requires metadata.event_code as a non-blank string of at most 512 characters', async () => {
    const pointer = '/metadata/event_code';
    await rejects([
      [without('metadata.event_code'), 'required', pointer, /metadata.event_code, .* is missing or blank/],
      [without('metadata'), 'required', pointer, /missing or blank/],
      [record({ metadata: { event_code: ' ' } }), 'required', pointer, /missing or blank/],
      [record({ metadata: { event_code: false } }), 'invalid_type', pointer, /the boolean false; a string/],
      [record({ metadata: 4 }), 'invalid_type', '/metadata', /the number 4; an object/],
      [
        record({ metadata: { event_code: 'c'.repeat(513) } }),
        'invalid_value',
        pointer,
        /513 characters long; 512/,
      ],
    ]);
    const long = '€'.repeat(512);
    await stores([[record({ metadata: { event_code: long } }), long]], ({ check_id }) => check_id);
  });

  it('reads the provider from cloud.provider, unmapped.provider or the form field, in lowercase', async () => {
    const bare = without('cloud.provider');
    const unmapped = record({ unmapped: { provider: 'GitHub' } });
    await stores(
      [
        [unmapped, 'aws'],
        [without('cloud.provider', unmapped), 'github'],
        [record({ cloud: { provider: null }, unmapped: { provider: 'GitHub' } }), 'github'],
        [record({ cloud: { provider: ' ' }, unmapped: { provider: ' GCP ' } }), 'gcp'],
        [record({ cloud: { provider: 'KUBERNETES' } }), 'kubernetes'],
        [bare, 'from-the-part'],
        [without('cloud.provider', record({ unmapped: { provider: '' } })), 'from-the-part'],
      ],
      ({ provider }) => provider,
      { parts: { provider: ' From-The-Part ' } },
    );
    await stores([[without('cloud', without('unmapped')), 'aws']], ({ provider }) => provider, {
      parts: { provider: 'AWS', account: '1' },
    });
    await rejects([
      [bare, 'required', '/cloud/provider', /Neither cloud.provider nor unmapped.provider .* 'provider'/],
    ]);
  });

  it('rejects a provider of the wrong type instead of falling back to the next source', () =>
    rejects(
      [
        [
          record({ cloud: { provider: 5 }, unmapped: { provider: 'gcp' } }),
          'invalid_type',
          '/cloud/provider',
          /the number 5; a string/,
        ],
        [record({ cloud: 'aws' }), 'invalid_type', '/cloud', /the string "aws"; an object/],
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
          /the string "gcp"; an object/,
        ],
        [
          record({ cloud: { provider: 'p'.repeat(101) } }),
          'invalid_value',
          '/cloud/provider',
          /101 characters long; 100/,
        ],
      ],
      { parts: { provider: 'aws' } },
    ));

  it('reads the account from cloud.account.uid, unmapped.provider_uid or the form field', async () => {
    const bare = without('cloud.account.uid');
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
        [bare, 'From The Part'],
        [without('cloud.account.uid', record({ unmapped: { provider_uid: '' } })), 'From The Part'],
      ],
      ({ account }) => account,
      { parts: { account: ' From The Part ' } },
    );
    await rejects([
      [
        bare,
        'required',
        '/cloud/account/uid',
        /Neither cloud.account.uid nor unmapped.provider_uid .* 'account'/,
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
          /number 111122223333; a string/,
        ],
        [record({ cloud: { account: '1' } }), 'invalid_type', '/cloud/account', /the string "1"; an object/],
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
          /513 characters long; 512/,
        ],
      ],
      { parts: { account: '1' } },
    ));

  it('identifies a resource by the uid of the first entry, else by its name, else not at all', () => {
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
