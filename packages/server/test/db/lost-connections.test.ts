import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type pg from 'pg';
import { APP_ROLE, createPool, type Database, openConnection } from '../../src/db/connect.ts';
import { DatabaseUnavailable } from '../../src/db/database-errors.ts';
import { queryOnce } from '../../src/db/transaction.ts';
import { MessageSplitter, textMessage } from '../support/message-splitter.ts';
import { startRelay } from '../support/relay.ts';
import { createSandbox } from '../support/sandbox.ts';
import type { Service } from '../support/service.ts';
import { until } from '../support/until.ts';

/** The message of a server that ends a session. */
const ENDED = textMessage('E', 'SFATAL\0VFATAL\0C57P02\0Mterminating connection\0');

describe('database connections that break', () => {
  const sandbox = createSandbox();
  let service: Service;
  let database: Database;
  before(async () => {
    service = await sandbox.startService({ SLUICE_WORKERS: '1' });
    database = { url: service.databaseUrl, role: undefined };
  });
  after(() => sandbox.clear());

  /** An `error` event without a listener would terminate the test process. */
  const assertLossTolerated = async (client: pg.ClientBase) => {
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
    const closed = new Promise((resolve) => client.once('end', resolve));
    await service.sql('select pg_terminate_backend($1)', [rows[0]?.pid]);
    await closed;
    await until(async () =>
      client.query('select').then(
        () => false,
        () => true,
      ),
    );
  };

  it('keeps the process running when a dedicated idle connection breaks', async () => {
    const client = await openConnection(database, { applicationName: 'test' });
    await assertLossTolerated(client);
    await client.end();
  });

  it('reports a broken idle connection in a pool, and reconnects', async () => {
    const errors: Error[] = [];
    const pool = createPool(database, { applicationName: 'test', max: 1 }, (error) => errors.push(error));
    const { rows } = await pool.query<{ pid: number }>('select pg_backend_pid() as pid');
    await service.sql('select pg_terminate_backend($1)', [rows[0]?.pid]);
    await until(async () => errors.length > 0);
    assert.match(errors[0]?.message ?? '', /terminating connection/);
    await pool.query('select');
    await pool.end();
  });

  it('keeps the process running when a connection breaks while the pool is being closed', async () => {
    const pool = createPool(database, { applicationName: 'test', max: 1 });
    const client = await pool.connect();
    client.release();
    await pool.end();
    // The server may send this error after `end`, which does not wait for the connection to close.
    client.emit('error', new Error('terminating connection due to administrator command'));
  });

  it('keeps the process running when a connection from a pool breaks', async () => {
    const pool = createPool(database, { applicationName: 'test', max: 1 });
    const client = await pool.connect();
    await assertLossTolerated(client);
    client.release(true);
    await pool.end();
  });

  it('reports the database as unavailable if a new connection breaks, no matter after which response', async () => {
    /** Runs a statement, and breaks the connection after the n-th response. Resolves with the number of responses. */
    const queryWithBreak = async (n: number): Promise<number> => {
      let responses = 0;
      const relay = await startRelay(service.databaseUrl, (client, upstream) => {
        const messages = new MessageSplitter(true);
        client.pipe(upstream);
        upstream.on('data', (bytes: Buffer) => {
          // The response to an encryption request is a single byte, not a message.
          const ready = bytes.length === 1 ? [] : messages.push(bytes).filter(({ type }) => type === 'Z');
          responses += ready.length;
          // Sent together, so that the client reads the error before anything continues after the response.
          client.write(ready.length > 0 && responses === n ? Buffer.concat([bytes, ENDED]) : bytes);
        });
      });
      const pool = createPool({ url: relay.url, role: APP_ROLE }, { applicationName: 'test', max: 1 });
      try {
        await queryOnce(pool, 'select 1', []);
      } catch (error) {
        assert.ok(error instanceof DatabaseUnavailable, `after response ${n}: ${error}`);
      } finally {
        await pool.end();
        await relay.stop();
      }
      return responses;
    };
    const all = await queryWithBreak(0);
    assert.ok(all >= 3, `only ${all} responses`);
    for (let n = 1; n <= all; n++) await queryWithBreak(n);
  });
});
