import { classifyDatabaseError } from './classify-database-error.ts';

/** The database cannot be reached, is starting or stopping, or cannot serve anybody; it may be back in a moment. */
export class DatabaseUnavailable extends Error {
  constructor(cause: unknown) {
    super('the database cannot be reached', { cause });
    this.name = 'DatabaseUnavailable';
  }
}

/** The error as it is, or as `DatabaseUnavailable` where it is one of a connection that was lost or refused. */
export function asUnavailable(error: unknown, isConnectionLost: boolean): unknown {
  const fault = classifyDatabaseError(error);
  return isConnectionLost || fault === 'connection_lost' || fault === 'unavailable'
    ? new DatabaseUnavailable(error)
    : error;
}
