import { codeOf } from '../error-code.ts';

/** SQLSTATE classes that say that the server, and not the statement, is the fault (PostgreSQL, appendix A). */
const AWAY = /^(08|57P0[1-5]|53300)/;

/** The database cannot be reached, is starting or stopping, or has no connection left; it may be back in a moment. */
export class DatabaseUnavailable extends Error {
  constructor(cause: unknown) {
    super('the database cannot be reached', { cause });
    this.name = 'DatabaseUnavailable';
  }
}

/** The error as it is, or as `DatabaseUnavailable` where it is one of a connection that was lost or refused. */
export function asUnavailable(error: unknown, isConnectionLost: boolean): unknown {
  const code = codeOf(error) ?? '';
  return isConnectionLost || AWAY.test(code) ? new DatabaseUnavailable(error) : error;
}
