import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import type { DetectionFinding } from '@sluice/ocsf';
import pg from 'pg';
import { ResourceStore } from '../../../src/ingest/merge/ensure-resources.ts';
import { FrameReferences } from '../../../src/ingest/merge/frame-references.ts';
import { CREATE_INCOMING_RESOURCES } from '../../../src/ingest/merge/incoming-resources.ts';
import { createMigratedDatabase, dropDatabase } from '../../support/run-cluster.ts';

const TENANT = randomUUID();
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

// As in a new database, until its tables are analyzed for the first time.
describe('updating some resources in a table without statistics', () => {
  let url: string;
  let client: pg.Client;
  const store = new ResourceStore();
  before(async () => {
    url = await createMigratedDatabase();
    client = new pg.Client({ connectionString: url });
    await client.connect();
    await client.query('set search_path to sluice');
    await client.query('alter table resources set (autovacuum_enabled = false)');
    await client.query(`insert into tenants (tenant_id, name, subscription) values ($1, 'Acme', 'active')`, [
      TENANT,
    ]);
    await client.query(CREATE_INCOMING_RESOURCES);
    await store.ensure(client, TENANT, resourcesAt(1000, RESOURCES, 'old'));
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
      await store.ensure(client, TENANT, resourcesAt(time, UPDATED, name));
      const read = (await readRows()) - before;
      assert.ok(read >= UPDATED && read <= UPDATED * MAX_READ, `${read} rows were read`);
      const { rows } = await client.query(
        'select count(*)::int as count from resources where seen_at = to_timestamp($1) and name = $2',
        [time / 1000, name],
      );
      assert.deepEqual(rows, [{ count: UPDATED }]);
    });
});
