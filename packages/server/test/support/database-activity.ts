/**
 * Sources for `select ... from` in tests. Concurrent test files share a PostgreSQL cluster, whose views of sessions
 * and locks cover all databases.
 */

/** The sessions of the current database. PostgreSQL caches the first result for the rest of a transaction. */
export const SESSIONS = '(select * from pg_stat_activity where datname = current_database()) sessions';

/** The locks on objects of the current database. */
export const LOCKS =
  '(select * from pg_locks where database = (select oid from pg_database where datname = current_database())) locks';
