import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import pg from 'pg';
import { DatabaseUnavailable } from '../../src/db/database-errors.ts';
import { rollback } from '../../src/db/transaction.ts';
import { describeError, summarizeError } from '../../src/observability/log.ts';

/** The error for a host name with two addresses, such as localhost. The error message is empty. */
const connectionRefused = new AggregateError([
  new Error('connect ECONNREFUSED ::1:5432'),
  new Error('connect ECONNREFUSED 127.0.0.1:5432'),
]);

function databaseError(code: string, message: string): pg.DatabaseError {
  return Object.assign(new pg.DatabaseError(message, 0, 'error'), {
    code,
    routine: 'routine_name',
    detail: 'a row',
  });
}

describe('error descriptions in the log', () => {
  it('lists all addresses that refused a connection, including addresses in the cause of an error', () => {
    const unavailable = new DatabaseUnavailable(connectionRefused);
    const { cause } = describeError(unavailable);
    assert.partialDeepStrictEqual(cause, {
      type: 'AggregateError',
      errors: [
        { message: 'connect ECONNREFUSED ::1:5432' },
        { message: 'connect ECONNREFUSED 127.0.0.1:5432' },
      ],
    });
    assert.equal(
      summarizeError(unavailable),
      'the database cannot be reached: connect ECONNREFUSED ::1:5432; connect ECONNREFUSED 127.0.0.1:5432',
    );
  });

  it('describes an error together with the subsequent rollback failure', async () => {
    const client = new pg.Client();
    await client.end();
    await assert.rejects(rollback(client, new Error('the first')), (lost) => {
      const text = summarizeError(lost);
      assert.match(text, /its connection was lost: the first; Client was closed/);
      assert.match(
        JSON.stringify(describeError(lost)),
        /"message":"the first".*"message":"Client was closed/,
      );
      return true;
    });
  });

  it('omits the client that the driver adds to the error of a lost connection', () => {
    const lost = Object.assign(new Error('Connection terminated unexpectedly'), {
      client: { secretKey: 12_345 },
      code: 'ECONNRESET',
    });
    assert.deepEqual(Object.keys(describeError(lost)).sort(), ['code', 'message', 'stack', 'type']);
  });

  it('describes thrown values that are not errors, and errors with a circular cause', () => {
    assert.deepEqual(
      [null, 'some text', 5].map((thrown) => describeError(thrown).message),
      ['null', 'some text', '5'],
    );
    const circular = new Error('circular');
    circular.cause = circular;
    assert.match(JSON.stringify(describeError(circular)), /circular/);
    assert.match(summarizeError(circular), /^circular: circular/);
  });

  it('describes database errors with code and message, but without rows or values', () => {
    const violation = describeError(databaseError('23505', 'duplicate key value violates "some_key"'));
    assert.partialDeepStrictEqual(violation, {
      type: 'DatabaseError',
      code: '23505',
      message: 'duplicate key value violates "some_key"',
    });
    assert.ok(!('detail' in violation));
    const invalid = databaseError('22P02', 'invalid input syntax for type uuid: "not-in-the-log"');
    const described = describeError(new Error('outside', { cause: invalid }));
    assert.partialDeepStrictEqual(described.cause, { code: '22P02', routine: 'routine_name' });
    assert.doesNotMatch(JSON.stringify(described) + summarizeError(invalid), /not-in-the-log/);
  });
});
