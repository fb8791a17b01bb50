import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { after, before, describe, it } from 'node:test';
import pg from 'pg';
import { APP_ROLE, createPool } from '../../src/db/connect.ts';
import { streamAsTenant } from '../../src/db/stream-as-tenant.ts';
import { notFound } from '../../src/jsonapi/errors.ts';
import { createMigratedDatabase, dropDatabase } from '../support/run-cluster.ts';

const LOCK = 4711;

describe('streamAsTenant', () => {
  let databaseUrl: string;
  let pool: pg.Pool;
  let other: pg.Client;
  before(async () => {
    databaseUrl = await createMigratedDatabase();
    pool = createPool({ url: databaseUrl, role: APP_ROLE }, { applicationName: 'sluice test', max: 1 });
    other = new pg.Client({ connectionString: databaseUrl });
    await other.connect();
  });
  after(async () => {
    await other.end();
    await pool.end();
    await dropDatabase(databaseUrl);
  });

  /** Locks, yields these values, and throws. */
  async function fail(error: Error, ...values: readonly number[]): Promise<void> {
    const stream = streamAsTenant(pool, randomUUID(), new AbortController().signal, async function* (client) {
      await client.query('select pg_advisory_xact_lock($1)', [LOCK]);
      yield* values;
      throw error;
    });
    await assert.rejects(Readable.from(stream).toArray(), error);
  }
  const isFree = async () => {
    const { rows } = await other.query<{ free: boolean }>('select pg_try_advisory_xact_lock($1) as free', [
      LOCK,
    ]);
    return rows[0]?.free;
  };

  it('releases the locks of the transaction before it throws an error for the client', async () => {
    for (let attempt = 0; attempt < 20; attempt++) {
      await fail(notFound('No finding has this ID.'));
      assert.equal(await isFree(), true, `attempt ${attempt}`);
    }
    assert.equal(pool.totalCount, 1);
  });

  it('closes the connection after any other error, because a statement may still be running', async () => {
    await fail(new Error('not an error for the client'), 1);
    assert.equal(pool.totalCount, 0);
  });
});
