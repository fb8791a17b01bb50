import { codeOf } from '../error-code.ts';

/**
 * A database error that the statement did not cause (PostgreSQL, appendix A). `connection_lost`: a restart or a network
 * failure closed this connection. `unavailable`: the server cannot serve any client: out of memory or connections, a
 * disk error, or it became a standby. `disk_full`: its disk is full. `interrupted`: a deadlock, a time limit, the limit
 * for temporary files or an administrator ended this attempt; another attempt may succeed.
 */
export type DatabaseErrorType = 'connection_lost' | 'unavailable' | 'disk_full' | 'interrupted';

const TYPES: readonly (readonly [RegExp, DatabaseErrorType])[] = [
  [/^(08|57P0)/, 'connection_lost'],
  [/^53100$/, 'disk_full'],
  // 53400 is `temp_file_limit`, which applies to each session.
  [/^(40001|40P01|53400|55P03|57014)$/, 'interrupted'],
  [/^(25006|53|58)/, 'unavailable'],
];

/** Returns `undefined` for any other error, including errors without a code. */
export function classifyDatabaseError(error: unknown): DatabaseErrorType | undefined {
  const code = codeOf(error);
  // Node.js error codes such as `EPIPE` are not SQLSTATEs: a broken connection is reported by its `error` event.
  if (code?.length !== 5) return undefined;
  return TYPES.find(([codes]) => codes.test(code))?.[1];
}
