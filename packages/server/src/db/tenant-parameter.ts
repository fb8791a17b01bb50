/**
 * The tenant's id, the first parameter of every statement on the tables of tenants. Each table of a statement is
 * compared with the parameter itself, not with another table: Citus otherwise asks every node for its rows.
 */
export const TENANT = '$1';
