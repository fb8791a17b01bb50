import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import type { DetectionFinding } from '@sluice/ocsf';
import pg from 'pg';
import { ResourceStore } from '../../../src/ingest/merge/ensure-resources.ts';
import { FrameReferences } from '../../../src/ingest/merge/frame-references.ts';
import { CREATE_INCOMING_RESOURCES } from '../../../src/ingest/merge/incoming-resources.ts';
import { createMigratedDatabase, dropDatabase } from '../../support/run-cluster.ts';

const PROVIDER = randomUUID();
/** Without statistics, PostgreSQL expects 150 of these, and prefers reading them all to looking up those that are updated. */
const RESOURCES = 30_000;
const UPDATED = 2000;
/** Maximum number of rows read per updated resource: to find, to lock and to update it. */
const MAX_READ = 5;

/** The first resources, as of this time. */
function resourcesAt(time: number, count: number, name: string) {
  const references = new FrameReferences(true);
  for (let at = 0; at < count; at++) {
    const resource = { uid: `bucket-${at}`, name, type: null, region: null, service: null, labels: [] };
    references.resource(PROVIDER, resource, { uid: 'finding', checkId: 'check', time } as DetectionFinding);
  }
  return references.resources.values();
}

/** Creates a tenant with resources, and returns its ID. */
async function createTenant(client: pg.Client, store: ResourceStore): Promise<string> {
  const id = randomUUID();
  await client.query(`insert into tenants (tenant_id, name, subscription) values ($1, 'Acme', 'active')`, [
    id,
  ]);
  await store.ensure(client, id, resourcesAt(1000, RESOURCES, 'old'));
  return id;
}

for (const [state, analyzed] of [
  // As in a new database, until its tables are analyzed for the first time.
  ['without statistics', false],
  // As long as the table has not grown much since then.
  ['that was analyzed before the tenant existed', true],
] as const)
  describe(`updating some resources in a table ${state}`, () => {
    let url: string;
    let client: pg.Client;
    let tenantId: string;
    const store = new ResourceStore();
    before(async () => {
      url = await createMigratedDatabase();
      client = new pg.Client({ connectionString: url });
      await client.connect();
      await client.query('set search_path to sluice');
      await client.query('alter table resources set (autovacuum_enabled = false)');
      await client.query(CREATE_INCOMING_RESOURCES);
      if (analyzed) {
        await createTenant(client, new ResourceStore());
        await client.query('analyze resources');
      }
      tenantId = await createTenant(client, store);
    });
    after(async () => {
      await client.end();
      await dropDatabase(url);
    });

    const readRows = async (): Promise<number> => {
      await client.query('select pg_stat_force_next_flush()');
      const { rows } = await client.query<{ read: number }>(
        `select (seq_tup_read + idx_tup_fetch)::float8 as read from pg_stat_user_tables where relname = 'resources'`,
      );
      return rows[0]?.read ?? assert.fail();
    };

    for (const [description, time, name] of [
      ['with a later time', 2000, 'old'],
      ['with other attributes', 3000, 'new'],
    ] as const)
      it(`reads no other resources: ${description}`, async () => {
        const before = await readRows();
        await store.ensure(client, tenantId, resourcesAt(time, UPDATED, name));
        const read = (await readRows()) - before;
        assert.ok(read >= UPDATED && read <= UPDATED * MAX_READ, `${read} rows were read`);
        const { rows } = await client.query(
          'select count(*)::int as count from resources where tenant_id = $3 and seen_at = to_timestamp($1) and name = $2',
          [time / 1000, name, tenantId],
        );
        assert.deepEqual(rows, [{ count: UPDATED }]);
      });
  });
