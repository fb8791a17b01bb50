import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { insertLinks } from '../../../src/ingest/merge/finding-resources.ts';
import { type Client, createClient } from '../../support/client.ts';
import { SESSIONS } from '../../support/database-activity.ts';
import { joinService, type SharedService } from '../../support/lanes.ts';
import { record } from '../../support/records.ts';
import { until } from '../../support/until.ts';

const EPOCH = 1_780_000_000;

/** A record of a finding with these resources. Capital letters are uids; a lowercase letter is a type without a uid. */
interface Observation {
  readonly at: number;
  readonly resources: string;
  readonly uid?: string;
  readonly status?: 'PASS' | 'FAIL';
}

describe('a finding whose record names several resources', () => {
  let service: SharedService;
  let client: Client;
  let accounts = 0;
  before(async () => {
    service = await joinService();
    client = createClient(service.url, service.key);
  });
  after(() => service.leave());

  const recordOf = (account: string, { at, resources, uid = 'finding', status = 'FAIL' }: Observation) =>
    record({
      time: EPOCH + at,
      status_code: status,
      finding_info: { uid },
      cloud: { account: { uid: account } },
      resources: [...resources].map((letter) =>
        letter === letter.toUpperCase() ? { uid: letter, name: `${letter} at ${at}` } : { type: letter },
      ),
    });

  /**
   * Ingests uploads of a separate account one after the other. Returns the resources of each finding, the first one
   * separated from the others.
   */
  const linksAfter = async (...uploads: readonly (readonly Observation[])[]): Promise<readonly string[]> => {
    accounts++;
    for (const observations of uploads) await ingest(observations);
    return await links();
  };
  const ingest = async (observations: readonly Observation[]) => {
    const { attributes } = await client.ingest(observations.map((one) => recordOf(`links-${accounts}`, one)));
    assert.equal(attributes.status, 'completed');
  };
  const links = async () => {
    const rows = await service.sql<{ first: string | null; others: string }>(
      `select (select uid from resources r where r.tenant_id = f.tenant_id and r.key = f.resource_key) as first,
         (select coalesce(string_agg(r.uid, '' order by r.uid), '') from finding_resources l
          left join resources r on r.tenant_id = l.tenant_id and r.key = l.resource_key and r.provider_id = f.provider_id
          where l.tenant_id = f.tenant_id and l.finding_id = f.id) as others
       from findings f join providers p on p.tenant_id = f.tenant_id and p.id = f.provider_id
       where p.account = $1 order by f.record_index`,
      [`links-${accounts}`],
    );
    return rows.map(({ first, others }) => `${first} ${others}`);
  };

  for (const [description, uploads, links] of [
    ['is linked to all of them', [[{ at: 1, resources: 'ACB' }]], ['A BC']],
    ['is linked once to a repeated resource', [[{ at: 1, resources: 'ABBA' }]], ['A B']],
    ['is not linked to resources without a uid', [[{ at: 1, resources: 'AxBy' }]], ['A B']],
    ['may have no first resource', [[{ at: 1, resources: 'xBC' }]], ['null BC']],
    [
      'is linked to the resources of its newest record',
      [[{ at: 1, resources: 'ABC' }], [{ at: 2, resources: 'ACD' }]],
      ['A CD'],
    ],
    [
      'keeps its links if an older upload is processed later',
      [[{ at: 2, resources: 'ABC' }], [{ at: 1, resources: 'ACD' }]],
      ['A BC'],
    ],
    [
      'loses its links if its newest record has a single resource',
      [[{ at: 1, resources: 'ABC' }], [{ at: 2, resources: 'A' }]],
      ['A '],
    ],
    [
      'gets links if its newest record has several resources',
      [[{ at: 1, resources: 'A' }], [{ at: 2, resources: 'AB' }]],
      ['A B'],
    ],
    [
      'is linked to the resources of the newest of several records in an upload',
      [
        [
          { at: 2, resources: 'AB' },
          { at: 3, resources: 'AC' },
          { at: 1, resources: 'AD' },
        ],
      ],
      ['A C'],
    ],
    [
      'is linked to the resources of the more severe of simultaneous records',
      [
        [
          { at: 1, resources: 'AB' },
          { at: 1, resources: 'AC', status: 'PASS' },
        ],
      ],
      ['A B'],
    ],
    [
      'shares resources with other findings',
      [
        [
          { at: 1, resources: 'AB', uid: 'one' },
          { at: 1, resources: 'BA', uid: 'two' },
        ],
        [
          { at: 2, resources: 'A', uid: 'one' },
          { at: 2, resources: 'BAC', uid: 'two' },
        ],
      ],
      ['A ', 'B AC'],
    ],
  ] as const)
    it(description, async () => assert.deepEqual(await linksAfter(...uploads), links));

  it('updates the attributes of all its resources', async () => {
    await linksAfter([{ at: 1, resources: 'ABC' }], [{ at: 2, resources: 'AB' }]);
    const rows = await service.sql(
      `select r.name from resources r join providers p on p.tenant_id = r.tenant_id and p.id = r.provider_id
       where p.account = $1 order by r.uid`,
      [`links-${accounts}`],
    );
    assert.deepEqual(
      rows.map(({ name }) => name),
      ['A at 2', 'B at 2', 'C at 1'],
    );
  });

  it('keeps its first resource if the records of a part of the file name too many, and reports the others', async () => {
    const account = 'too-many-resources';
    const records = Array.from({ length: 520 }, (_, at) =>
      record({
        finding_info: { uid: `${at}` },
        cloud: { account: { uid: account } },
        resources: Array.from({ length: 100 }, (_, one) => ({ uid: `${at}-${one}` })),
      }),
    );
    const { id, attributes } = await client.ingest(records);
    assert.equal(attributes.status, 'completed');
    const { body } = await client.get<{ attributes: { record_index: number; code: string } }[]>(
      `/ingestions/${id}/warnings?page[size]=1000`,
    );
    assert.deepEqual(
      body.data.map(({ attributes: { record_index, code } }) => `${code} ${record_index}`),
      Array.from({ length: 20 }, (_, at) => `too_many_resources ${500 + at}`),
    );
    const [stored] = await service.sql(
      `select count(*)::int as resources,
         (select count(resource_key)::int from findings f where f.provider_id = p.id) as firsts
       from resources r join providers p on p.tenant_id = r.tenant_id and p.id = r.provider_id
       where p.account = $1 group by p.id`,
      [account],
    );
    assert.deepEqual([stored?.resources, stored?.firsts], [50_020, 520]);
  });

  it('is linked to the resources of a newer record that is merged while its frame is read again', async () => {
    await linksAfter([{ at: 1, resources: 'AB' }]);
    const rows = await service.sql<{ findingId: string; ingestionId: string; resourceKey: number }>(
      `with removed as (
         delete from finding_resources l using findings f join providers p on p.tenant_id = f.tenant_id and p.id = f.provider_id
         where l.tenant_id = f.tenant_id and l.finding_id = f.id and p.account = $1 returning l.resource_key, f.id, f.ingestion_id
       )
       select id as "findingId", ingestion_id as "ingestionId", resource_key::float8 as "resourceKey" from removed`,
      [`links-${accounts}`],
    );
    const { ingestionId, ...link } = rows[0] ?? assert.fail();
    const reader = await service.connect();
    try {
      await reader.query('begin');
      const frame = { tenantId: service.tenantId, ingestionId, number: 0 };
      await insertLinks(reader, frame, [{ ...link, recordIndex: 0 }]);
      let isMerged = false;
      const merging = ingest([{ at: 2, resources: 'AC' }]).then(() => {
        isMerged = true;
      });
      await until(
        async () =>
          isMerged ||
          (await service.ownerSql(`select from ${SESSIONS} where wait_event_type = 'Lock'`)).length > 0,
      );
      await reader.query('commit');
      await merging;
    } finally {
      await reader.end();
    }
    assert.deepEqual(await links(), ['A C']);
  });
});
