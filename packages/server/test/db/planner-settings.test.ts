import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import type pg from 'pg';
import { APP_ROLE, createPool } from '../../src/db/connect.ts';
import {
  avoidIndexScans,
  withForcedIndexScans,
  withHashJoins,
  withoutIndexScans,
} from '../../src/db/planner-settings.ts';
import { asTenant, type Queryable } from '../../src/db/transaction.ts';
import { query } from '../support/embedded-postgres.ts';
import { createMigratedDatabase, dropDatabase } from '../support/run-cluster.ts';

describe('planner settings of a transaction', () => {
  let databaseUrl: string;
  let pool: pg.Pool;
  before(async () => {
    databaseUrl = await createMigratedDatabase();
    // As by default. The embedded server switches it off.
    const name = new URL(databaseUrl).pathname.slice(1);
    await query(databaseUrl, `alter database ${name} set jit = on`);
    pool = createPool({ url: databaseUrl, role: APP_ROLE }, { applicationName: 'sluice test', max: 1 });
  });
  after(async () => {
    await pool.end();
    await dropDatabase(databaseUrl);
  });

  const NAMES = ['jit', 'enable_indexscan', 'enable_nestloop', 'enable_seqscan'];
  /** The settings that are off. */
  async function offIn(client: Queryable): Promise<readonly string[]> {
    const { rows } = await client.query<{ name: string }>(
      "select name from pg_settings where name = any($1) and setting = 'off' order by name",
      [NAMES],
    );
    return rows.map(({ name }) => name);
  }

  for (const [name, run, off] of [
    ['withHashJoins', withHashJoins, ['enable_nestloop', 'jit']],
    ['withoutIndexScans', withoutIndexScans, ['enable_indexscan', 'jit']],
    ['withForcedIndexScans', withForcedIndexScans, ['enable_seqscan', 'jit']],
  ] as const)
    it(`${name} switches plans and their compilation off until the work is done`, async () => {
      await asTenant(pool, randomUUID(), async (client) => {
        assert.deepEqual(await run(client, () => offIn(client)), off);
        assert.deepEqual(await offIn(client), []);
      });
    });

  it('settings for the rest of a transaction remain after others, but not in the next transaction', async () => {
    await asTenant(pool, randomUUID(), async (client) => {
      await avoidIndexScans(client);
      assert.deepEqual(await withForcedIndexScans(client, () => offIn(client)), ['enable_seqscan', 'jit']);
      assert.deepEqual(await offIn(client), ['enable_indexscan', 'jit']);
    });
    await asTenant(pool, randomUUID(), async (client) => assert.deepEqual(await offIn(client), []));
  });
});
