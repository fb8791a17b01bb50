import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import pg from 'pg';
import { asUnavailable, classifyDatabaseError, DatabaseUnavailable } from '../../src/db/database-errors.ts';

function databaseError(severity: string, code: string, message = 'failed') {
  return Object.assign(new pg.DatabaseError(message, message.length, 'error'), { severity, code });
}

/** As Citus 13.2 reports them. */
const LOST_NODE = databaseError(
  'ERROR',
  '08006',
  'connection to the remote node sluice_app@127.0.0.1:9701 failed with the following error: Connection refused',
);
const STOPPED_NODE = databaseError('ERROR', '57P01', 'terminating connection due to administrator command');
const UNCERTAIN_COMMIT = databaseError(
  'ERROR',
  'XX000',
  'could not commit transaction for shard 102008 on at least one active node',
);
const LOST_TRANSACTION = databaseError(
  'ERROR',
  'XX000',
  'failure on connection marked as essential: 127.0.0.1:9701',
);
const LOST_BETWEEN_STATEMENTS = databaseError(
  'ERROR',
  'XX000',
  'server closed the connection unexpectedly\n\tThis probably means the server terminated abnormally',
);

describe('the type of a database error', () => {
  for (const [title, error, type] of [
    ['a node that cannot be reached', LOST_NODE, 'node_unavailable'],
    ['a node that stops during a statement', STOPPED_NODE, 'node_unavailable'],
    ['a node that is lost during a commit', UNCERTAIN_COMMIT, 'node_unavailable'],
    ['a node that is lost between two statements', LOST_BETWEEN_STATEMENTS, 'node_unavailable'],
    ['a commit after a node was lost', LOST_TRANSACTION, 'node_unavailable'],
    ['a server that ends its own session', databaseError('FATAL', '57P01'), 'connection_lost'],
    ['a connection that broke', databaseError('FATAL', '08006'), 'connection_lost'],
    ['another internal error', databaseError('ERROR', 'XX000'), undefined],
    ['a full disk', databaseError('ERROR', '53100'), 'disk_full'],
    ['too many connections', databaseError('FATAL', '53300'), 'unavailable'],
    ['a deadlock', databaseError('ERROR', '40P01'), 'interrupted'],
    ['a broken socket', Object.assign(new Error(), { code: 'EPIPE' }), undefined],
  ] as const)
    it(`is ${type ?? 'undefined'} for ${title}`, () => assert.equal(classifyDatabaseError(error), type));

  it('makes the database unavailable to a request, unless it concerns only the statement', () => {
    for (const error of [LOST_NODE, STOPPED_NODE, UNCERTAIN_COMMIT, LOST_TRANSACTION])
      assert.ok(asUnavailable(error, false) instanceof DatabaseUnavailable);
    const rejected = databaseError('ERROR', '23505');
    assert.equal(asUnavailable(rejected, false), rejected);
    assert.ok(asUnavailable(rejected, true) instanceof DatabaseUnavailable);
  });
});
