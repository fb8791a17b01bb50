import { classifyDatabaseError } from './classify-database-error.ts';

/** The database cannot be reached, is starting or shutting down, or cannot serve any client. Usually temporary. */
export class DatabaseUnavailable extends Error {
  constructor(cause: unknown) {
    super('the database cannot be reached', { cause });
    this.name = 'DatabaseUnavailable';
  }
}

/** Wraps the error in `DatabaseUnavailable` if the connection was lost or the server is unavailable; otherwise returns it. */
export function asUnavailable(error: unknown, isConnectionLost: boolean): unknown {
  const type = classifyDatabaseError(error);
  return isConnectionLost || type === 'connection_lost' || type === 'unavailable'
    ? new DatabaseUnavailable(error)
    : error;
}
