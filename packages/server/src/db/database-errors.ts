import pg from 'pg';
import { codeOf, messageOf } from '../lib/errors.ts';

// SQLSTATEs (PostgreSQL documentation, appendix A).

export const READ_ONLY_SQL_TRANSACTION = '25006';
export const UNIQUE_VIOLATION = '23505';
export const DEADLOCK_DETECTED = '40P01';
export const LOCK_NOT_AVAILABLE = '55P03';
export const INVALID_AUTHORIZATION_SPECIFICATION = '28000';
export const INSUFFICIENT_PRIVILEGE = '42501';
export const DUPLICATE_DATABASE = '42P04';
const DUPLICATE_OBJECT = '42710';
export const UNDEFINED_TABLE = '42P01';
export const QUERY_CANCELED = '57014';
/** Also the code of errors that have no other code. */
const INTERNAL_ERROR = 'XX000';

/**
 * A database error that the statement did not cause. `connection_lost`: a restart or a network failure closed this
 * connection. `node_unavailable`: the coordinator of a Citus cluster lost its connection to the node of the tenant; this
 * connection remains usable. `unavailable`: the server cannot serve any client, because it is out of memory or
 * connections, has a disk error, or became a standby. `disk_full`: the server's disk is full. `interrupted`: a deadlock,
 * a time limit, the limit for temporary files or an administrator ended this attempt; another attempt may succeed.
 */
export type DatabaseErrorType =
  | 'connection_lost'
  | 'node_unavailable'
  | 'unavailable'
  | 'disk_full'
  | 'interrupted';

/** Class 08 and 57P01 to 57P05: the connection ends. */
const CONNECTION_ENDS = /^(08|57P0)/;
/**
 * The loss of a node in a transaction, which is reported without a SQLSTATE: by Citus, or by libpq between two
 * statements. After the first error, it is unknown whether the node committed the transaction.
 */
const NODE_LOST = new RegExp(
  `^(${[
    'could not commit transaction for shard',
    'failure on connection marked as essential',
    'execution cannot recover from multiple connection failures',
    'server closed the connection unexpectedly',
    'could not (receive data from|send data to) server',
    'no connection to the server',
    'connection not open',
    'SSL SYSCALL error',
    'SSL connection has been closed unexpectedly',
  ].join('|')})`,
);

const TYPES: readonly (readonly [RegExp, DatabaseErrorType])[] = [
  [CONNECTION_ENDS, 'connection_lost'],
  [/^53100$/, 'disk_full'],
  // 53400 affects only this session, which exceeded `temp_file_limit`.
  [/^(40001|40P01|53400|55P03|57014)$/, 'interrupted'],
  [/^(25006|53|58)/, 'unavailable'],
];

/** Returns the type of a database error; `undefined` for any other error, including errors without a code. */
export function classifyDatabaseError(error: unknown): DatabaseErrorType | undefined {
  const code = codeOf(error);
  // Node.js error codes such as `EPIPE` are not SQLSTATEs: a broken connection is reported by its `error` event.
  if (code?.length !== 5) return undefined;
  if (isNodeUnavailable(error, code)) return 'node_unavailable';
  return TYPES.find(([codes]) => codes.test(code))?.[1];
}

/** Whether the coordinator of a Citus cluster relays an error of a node. */
export function isOfNode(error: unknown): boolean {
  return error instanceof pg.DatabaseError && /^while executing command on /m.test(error.where ?? '');
}

/** A server ends its own sessions with severity FATAL. Citus relays the errors of other servers with severity ERROR. */
function isNodeUnavailable(error: unknown, code: string): boolean {
  if (!(error instanceof pg.DatabaseError && error.severity === 'ERROR')) return false;
  return CONNECTION_ENDS.test(code) || (code === INTERNAL_ERROR && NODE_LOST.test(error.message));
}

/** The database cannot be reached, is starting or shutting down, or cannot serve any client. Usually temporary. */
export class DatabaseUnavailable extends Error {
  constructor(cause: unknown) {
    super('the database cannot be reached', { cause });
    this.name = 'DatabaseUnavailable';
  }
}

const UNAVAILABLE: readonly (DatabaseErrorType | undefined)[] = [
  'connection_lost',
  'node_unavailable',
  'unavailable',
];

/** Wraps the error in `DatabaseUnavailable` if the connection was lost or the server or a node is unavailable. */
export function asUnavailable(error: unknown, isConnectionLost: boolean): unknown {
  return isConnectionLost || UNAVAILABLE.includes(classifyDatabaseError(error))
    ? new DatabaseUnavailable(error)
    : error;
}

/** Whether another transaction has changed the same row of a system catalog, so that the statement must be repeated. */
export function isConcurrentChange(error: unknown): boolean {
  const code = codeOf(error);
  return (
    code === UNIQUE_VIOLATION ||
    code === DUPLICATE_OBJECT ||
    (code === INTERNAL_ERROR && /^tuple concurrently/.test(messageOf(error)))
  );
}
