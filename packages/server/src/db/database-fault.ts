import { codeOf } from '../error-code.ts';

/**
 * What an error says of the database, where the statement is not to blame (PostgreSQL, appendix A).
 * `lost`: this connection is gone, by a restart or a network. `away`: the server cannot serve anybody just now: no memory,
 * no connection left, an error of its disk, or it has become a standby. `full`: its disk is. `cut_off`: this try was ended,
 * by a deadlock, by a limit of time or of temporary files, or by somebody; another one may get through.
 */
export type DatabaseFault = 'lost' | 'away' | 'full' | 'cut_off';

const FAULTS: readonly (readonly [RegExp, DatabaseFault])[] = [
  [/^(08|57P0)/, 'lost'],
  [/^53100$/, 'full'],
  // A limit of temporary files (`temp_file_limit`) is met by the one statement that needs so many.
  [/^(40001|40P01|53400|55P03|57014)$/, 'cut_off'],
  [/^(25006|53|58)/, 'away'],
];

/** `undefined` for every other error, also for one without a code. */
export function databaseFault(error: unknown): DatabaseFault | undefined {
  const code = codeOf(error);
  // Codes of Node.js (`EPIPE`) are no SQLSTATE: a connection that breaks says so by its `error` event.
  if (code?.length !== 5) return undefined;
  return FAULTS.find(([codes]) => codes.test(code))?.[1];
}
