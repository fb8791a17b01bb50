import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import pg from 'pg';
import { DatabaseUnavailable } from '../../src/db/database-unavailable.ts';
import { rollback } from '../../src/db/transaction.ts';
import { describeError, summarizeError } from '../../src/operations/describe-error.ts';

/** Of a name with two addresses, such as localhost; the message is empty. */
const refused = new AggregateError([
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

describe('descriptions of errors in the log', () => {
  it('lists all addresses that refused a connection, also in a cause of an error', () => {
    const unavailable = new DatabaseUnavailable(refused);
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

  it('describes an error together with the failure of the rollback after it', async () => {
    const client = new pg.Client();
    await client.end();
    await assert.rejects(rollback(client, new Error('the first')), (lost) => {
      const text = summarizeError(lost);
      assert.match(text, /its connection is lost: the first; Client was closed/);
      assert.match(
        JSON.stringify(describeError(lost)),
        /"message":"the first".*"message":"Client was closed/,
      );
      return true;
    });
  });

  it('describes thrown values that are not errors, and errors that cause themselves', () => {
    assert.deepEqual(
      [null, 'the words', 5].map((thrown) => describeError(thrown).message),
      ['null', 'the words', '5'],
    );
    const circle = new Error('round');
    circle.cause = circle;
    assert.match(JSON.stringify(describeError(circle)), /round/);
    assert.match(summarizeError(circle), /^round: round/);
  });

  it('keeps the code and the message of a database error, but no rows or values', () => {
    const violation = describeError(databaseError('23505', 'duplicate key value violates "some_key"'));
    assert.partialDeepStrictEqual(violation, {
      type: 'DatabaseError',
      code: '23505',
      message: 'duplicate key value violates "some_key"',
    });
    assert.ok(!('detail' in violation));
    const invalid = databaseError('22P02', 'invalid input syntax for type uuid: "seen-in-no-log"');
    const described = describeError(new Error('outside', { cause: invalid }));
    assert.partialDeepStrictEqual(described.cause, { code: '22P02', routine: 'routine_name' });
    assert.doesNotMatch(JSON.stringify(described) + summarizeError(invalid), /seen-in-no-log/);
  });
});
