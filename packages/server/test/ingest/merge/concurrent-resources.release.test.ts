import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { DetectionFinding, FindingResource } from '@sluice/ocsf';
import fc from 'fast-check';
import type pg from 'pg';
import { FrameReferences } from '../../../src/ingest/merge/frame-references.ts';
import { CREATE_INCOMING_RESOURCES } from '../../../src/ingest/merge/incoming-resources.ts';
import { ReferenceStores } from '../../../src/ingest/merge/reference-stores.ts';
import { isNewer } from '../../../src/ingest/merge/resource-attributes.ts';
import { joinService, type SharedService } from '../../support/lanes.ts';

/** A record of a resource. */
interface Observation {
  readonly uid: string;
  readonly name: string | null;
  readonly label: string;
  readonly time: number;
}

interface Frame {
  readonly records: readonly Observation[];
  /** Whether the first attempt fails when it creates resources. */
  readonly fails: boolean;
}

const EPOCH_MS = 1_780_000_000_000;
const PROCESSES = 2;
/** The workers of a process share a store. */
const WORKERS = 2;

const observation: fc.Arbitrary<Observation> = fc.record({
  uid: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'),
  name: fc.constantFrom('one', 'two', null),
  label: fc.constantFrom('x', 'y'),
  time: fc.integer({ min: 0, max: 5 }),
});
const frame: fc.Arbitrary<Frame> = fc.record({
  records: fc.array(observation, { maxLength: 8 }),
  fails: fc.nat({ max: 9 }).map((draw) => draw === 0),
});
/** The frames of each worker. */
const histories = fc.array(fc.array(frame, { maxLength: 4 }), {
  minLength: PROCESSES * WORKERS,
  maxLength: PROCESSES * WORKERS,
});

/** A connection whose transactions fail when they create resources. */
function failing(client: pg.Client): pg.Client {
  const query = (first: string, ...rest: never[]) =>
    first === 'savepoint inserting'
      ? Promise.reject(new Error('the transaction fails'))
      : client.query(first, ...rest);
  return Object.create(client, { query: { value: query } }) as pg.Client;
}

function attributesOf({ uid, name, label }: Observation): FindingResource {
  return { uid, name, type: null, region: null, service: null, labels: [label] };
}

function observed(record: Observation) {
  return { attributes: attributesOf(record), time: record.time };
}

function referencesTo(providerId: string, records: readonly Observation[]): FrameReferences {
  const references = new FrameReferences(true);
  for (const record of records) {
    const finding = { uid: 'finding', checkId: 'check', time: EPOCH_MS + record.time };
    references.resource(providerId, attributesOf(record), finding as DetectionFinding);
  }
  return references;
}

describe('resources that several processes create and update at the same time', () => {
  let service: SharedService;
  const clients: pg.Client[] = [];
  before(async () => {
    service = await joinService();
    for (let worker = 0; worker < PROCESSES * WORKERS; worker++) {
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
        const stores = Array.from({ length: PROCESSES }, () => new ReferenceStores());
        await Promise.all(
          clients.map(async (client, worker) => {
            const store = stores[worker % PROCESSES] ?? assert.fail();
            for (const { records, fails } of frames[worker] ?? []) {
              const references = referencesTo(providerId, records);
              const ensure = (on: pg.Client) => store.ensure(on, tenantId, [], references);
              if (fails) await ensure(failing(client)).catch(() => undefined);
              await ensure(client);
              for (const { uid, key } of references.resources.values()) {
                assert.equal(keys.get(uid) ?? key, key);
                keys.set(uid, key);
              }
            }
          }),
        );
        const newest = new Map<string, Observation>();
        for (const record of frames.flat().flatMap(({ records }) => records)) {
          const known = newest.get(record.uid);
          if (known === undefined || isNewer(observed(record), observed(known)))
            newest.set(record.uid, record);
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
      { numRuns: 40 },
    );
  });
});
