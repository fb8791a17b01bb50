import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { DetectionFinding } from '@sluice/ocsf';
import { FrameReferences } from '../../../src/ingest/merge/frame-references.ts';
import { ReferenceStores } from '../../../src/ingest/merge/reference-stores.ts';
import { type Client, createClient } from '../../support/client.ts';
import { joinService, type SharedService } from '../../support/lanes.ts';
import { record } from '../../support/records.ts';

const EPOCH = 1_780_000_000;

/** A record of the check at this many seconds. */
interface Observation {
  readonly check: string;
  readonly at: number;
  readonly title: unknown;
}

describe('the description of a check', () => {
  let service: SharedService;
  let client: Client;
  before(async () => {
    service = await joinService();
    client = createClient(service.url, service.key);
  });
  after(() => service.leave());

  const ingest = async (observations: readonly Observation[]) => {
    const job = await client.ingest(
      observations.map(({ check, at, title }) =>
        record({
          time: EPOCH + at,
          metadata: { event_code: check },
          finding_info: { uid: check, title, desc: `Description of ${check}` },
        }),
      ),
    );
    assert.equal(job.attributes.status, 'completed');
    return job;
  };
  const storedAs = async (pattern: string): Promise<[string, string, number][]> => {
    const rows = await service.sql<{ id: string; title: string; at: number }>(
      `select check_id as id, title, extract(epoch from seen_at)::int - ${EPOCH} as at from checks
       where check_id like $1 order by check_id`,
      [pattern],
    );
    return rows.map(({ id, title, at }) => [id, title, at]);
  };

  it('comes from the newest record, or has the greatest texts of simultaneous records', async () => {
    const newest = new Map<string, Observation>();
    for (let upload = 0; upload < 8; upload++) {
      const observations = Array.from({ length: 40 }, (_, n): Observation => {
        const mixed = Math.imul(n * 8 + upload + 1, 2_654_435_761) >>> 8;
        return {
          check: `newest-${10 + n}`,
          at: mixed % 5,
          title: `Title ${Math.floor(mixed / 5) % 2}`,
        };
      });
      await ingest(observations);
      for (const observation of observations) {
        const { check, at, title } = observation;
        const known = newest.get(check);
        if (known === undefined || at > known.at || (at === known.at && String(title) > String(known.title)))
          newest.set(check, observation);
      }
      const expected = [...newest.values()].map(({ check, at, title }) => [check, title, at]);
      assert.deepEqual(await storedAs('newest-%'), expected, `after upload ${upload}`);
    }
  });

  it('comes from a newer record with known texts, even if another process has replaced the texts', async () => {
    await ingest([{ check: 'replaced', at: 0, title: 'Title' }]);
    await service.sql("update checks set title = 'Zebra' where check_id = 'replaced'");
    await ingest([{ check: 'replaced', at: 1, title: 'Title' }]);
    assert.deepEqual(await storedAs('replaced'), [['replaced', 'Title', 1]]);
  });

  it('causes the same warnings in every upload', async () => {
    for (const at of [0, 0, 1]) {
      const job = await ingest([{ check: 'warned', at, title: 7 }]);
      assert.equal(job.attributes.summary.total, 1);
      const { body } = await client.get<{ attributes: { code: string; pointer: string } }[]>(
        `/ingestions/${job.id}/warnings`,
      );
      assert.deepEqual(
        body.data.map(({ attributes: { pointer } }) => pointer),
        ['/finding_info/title'],
      );
    }
  });

  it('is sent to the database once, even if workers that share a cache ingest frames of a scan concurrently', async () => {
    let sent = 0;
    const texts = () => {
      sent++;
      return {
        title: 'Title',
        description: null,
        risk: null,
        remediation: null,
        references: [],
        categories: [],
        compliance: [],
      };
    };
    const stores = new ReferenceStores();
    const clients = await Promise.all([1, 2, 3].map(() => service.connect()));
    try {
      for (let scan = 0; scan < 10; scan++) {
        const ensure = async (client: (typeof clients)[number], frame: number) => {
          const time = (EPOCH + scan) * 1000 + frame;
          const finding = { providerType: 'aws', checkId: 'shared', time } as DetectionFinding;
          const references = new FrameReferences(true);
          const check = references.check(finding);
          await stores.ensure(
            client,
            service.tenantId,
            [{ finding, fingerprint: 'texts', texts }],
            references,
          );
          assert.notEqual(check.key, 0);
        };
        await Promise.all(clients.map(ensure));
      }
      assert.equal(sent, 1);
      assert.deepEqual(await storedAs('shared'), [['shared', 'Title', 9]]);
    } finally {
      await Promise.all(clients.map((client) => client.end()));
    }
  });
});
