/**
 * To select from in a statement of a test: the cluster of a run is shared by test files that run at the same time, and
 * PostgreSQL's views of sessions and locks show those of all databases.
 */

/** The rows of pg_stat_activity of the database that the statement runs in. */
export const SESSIONS = '(select * from pg_stat_activity where datname = current_database()) sessions';

/** The rows of pg_locks of the database's sessions. */
export const LOCKS = `(select * from pg_locks where pid in (select pid from ${SESSIONS})) locks`;
