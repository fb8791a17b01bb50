import type pg from 'pg';

/** In a new database, this migration creates the layout that the previous release cannot use. */
const LAYOUT_MIGRATION = '0024-resources-and-totals.sql';
/** The compatibility line of that layout. */
const NEW_LAYOUT_LINE = 2;

/**
 * Gives restored tables the layout of the original. They were empty when the migrations ran, so they have the layout of
 * a new database; the original may have been upgraded from an earlier release. Its migration records show which.
 */
export async function restoreLayout(client: pg.Client): Promise<void> {
  const { rowCount } = await client.query(
    'select from schema_migrations where name = $1 and oldest_line < $2',
    [LAYOUT_MIGRATION, NEW_LAYOUT_LINE],
  );
  if (rowCount === 1) await client.query('call use_previous_layout(); call queue_rereads()');
}
