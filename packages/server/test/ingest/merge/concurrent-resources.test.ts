import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { DetectionFinding, FindingResource } from '@sluice/ocsf';
import fc from 'fast-check';
import type pg from 'pg';
import { CREATE_INCOMING_RESOURCES } from '../../../src/ingest/merge/create-resources.ts';
import { ResourceStore } from '../../../src/ingest/merge/ensure-resources.ts';
import { FrameReferences } from '../../../src/ingest/merge/frame-references.ts';
import { compareAttributes } from '../../../src/ingest/merge/resource-attributes.ts';
import { joinService, type SharedService } from '../../support/lanes.ts';

/** A record of a resource. */
interface Observation {
  readonly uid: string;
  readonly name: string | null;
  readonly label: string;
  readonly time: number;
}

const EPOCH_MS = 1_780_000_000_000;
const PROCESSES = 3;

const observation: fc.Arbitrary<Observation> = fc.record({
  uid: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'),
  name: fc.constantFrom('one', 'two', null),
  label: fc.constantFrom('x', 'y'),
  time: fc.integer({ min: 0, max: 5 }),
});
/** For each process, the records of its frames. */
const histories = fc.array(fc.array(fc.array(observation, { maxLength: 8 }), { maxLength: 5 }), {
  minLength: PROCESSES,
  maxLength: PROCESSES,
});

function attributesOf({ uid, name, label }: Observation): FindingResource {
  return { uid, name, type: null, region: null, service: null, labels: [label] };
}

describe('resources that several processes create and update at the same time', () => {
  let service: SharedService;
  const clients: pg.Client[] = [];
  before(async () => {
    service = await joinService();
    for (let process = 0; process < PROCESSES; process++) {
      const client = await service.connect();
      await client.query(CREATE_INCOMING_RESOURCES);
      clients.push(client);
    }
  });
  after(async () => {
    await Promise.all(clients.map((client) => client.end()));
    await service.leave();
  });

  it('have the attributes and the time of their newest record', async () => {
    const { tenantId } = service;
    let provider = 0;
    await fc.assert(
      fc.asyncProperty(histories, async (frames) => {
        const providerId = `0198a000-0000-7000-8000-${String(++provider).padStart(12, '0')}`;
        const keys = new Map<string, number>();
        await Promise.all(
          clients.map(async (client, process) => {
            const store = new ResourceStore();
            for (const records of frames[process] ?? []) {
              const references = new FrameReferences(true);
              for (const record of records) {
                const finding = { uid: 'finding', checkId: 'check', time: EPOCH_MS + record.time };
                references.resource(providerId, attributesOf(record), finding as DetectionFinding);
              }
              await store.ensure(client, tenantId, references.resources.values());
              for (const { uid, key } of references.resources.values()) {
                assert.equal(keys.get(uid) ?? key, key);
                keys.set(uid, key);
              }
            }
          }),
        );
        const newest = new Map<string, Observation>();
        for (const record of frames.flat(2)) {
          const known = newest.get(record.uid);
          const order =
            known === undefined
              ? 1
              : record.time - known.time || compareAttributes(attributesOf(record), attributesOf(known));
          if (order > 0) newest.set(record.uid, record);
        }
        const rows = await service.sql(
          `select uid, name, labels[1] as label, extract(epoch from seen_at) * 1000 - ${EPOCH_MS} as time, key::float8
           from resources where provider_id = $1 order by uid collate "C"`,
          [providerId],
        );
        assert.deepEqual(
          rows.map((row) => ({ ...row, time: Number(row.time) })),
          [...newest.values()]
            .sort((a, b) => (a.uid < b.uid ? -1 : 1))
            .map((record) => ({ ...record, key: keys.get(record.uid) })),
        );
      }),
      { numRuns: 100 },
    );
  });
});
