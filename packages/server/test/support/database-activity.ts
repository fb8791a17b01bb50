/**
 * Sources for `select ... from` in tests. Test files that run at the same time share a PostgreSQL cluster, and its views
 * of sessions and locks show those of all databases.
 */

/** The sessions of the statement's database. PostgreSQL keeps the first result for the rest of a transaction. */
export const SESSIONS = '(select * from pg_stat_activity where datname = current_database()) sessions';

/** The locks on objects of the statement's database. */
export const LOCKS =
  '(select * from pg_locks where database = (select oid from pg_database where datname = current_database())) locks';
