/**
 * Hides a condition from the planner, which then expects half of the rows to match. Without statistics on newly
 * ingested rows, it expects almost no row to have a given value, and prefers to read and sort all rows of a tenant to
 * reading a few rows in the order of an index.
 */
export function opaqueCondition(sql: string): string {
  return `case when ${sql} then true else false end`;
}

/**
 * A condition that a column has one of the keys that a query selects. Compares with a hash table: PostgreSQL would
 * compare each row with each element of an array, and might turn a plain `in` into a slow join.
 */
export function hasKeyIn(column: string, query: string): string {
  return `((${column} in (${query})) is true)`;
}
