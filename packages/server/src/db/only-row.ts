import type pg from 'pg';

/** The row of a query that always returns one, such as an aggregate. */
export function onlyRow<Row extends pg.QueryResultRow>({ rows }: Pick<pg.QueryResult<Row>, 'rows'>): Row {
  const [row] = rows;
  if (row === undefined) throw new Error('PostgreSQL returned no row');
  return row;
}
