import type pg from 'pg';
import { OperatorError } from '../lib/errors.ts';
import { READ_ONLY_SQL_TRANSACTION } from './database-errors.ts';

export type SessionSettings = ReadonlyMap<string, string>;

/**
 * Parses `options` of a connection string, `-c name=value` or `--name=value`. They cannot be passed on unchanged,
 * because PgBouncer rejects the startup parameter. Throws an OperatorError for anything else.
 */
export function readOptions(options: string): SessionSettings {
  const words = options.match(/(?:\\.|[^\s\\])+/gs)?.map((word) => word.replace(/\\(.)/gs, '$1')) ?? [];
  const settings = new Map<string, string>();
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? '';
    const text = word === '-c' ? (words[++at] ?? '') : word.replace(/^(?:-c|--)/, '');
    const pair = word.startsWith('-') ? /^([\w.-]+)=(.*)$/s.exec(text) : null;
    if (pair === null)
      throw new OperatorError(
        'DATABASE_URL has options other than -c name=value, which Sluice does not support',
      );
    settings.set((pair[1] ?? '').replaceAll('-', '_'), pair[2] ?? '');
  }
  return settings;
}

/**
 * Applies the settings to a new session with SQL, in order and in one round trip. Throws ReadOnlyServer if
 * `needsPrimary` and the server is read-only.
 */
export async function applySettings(
  client: pg.ClientBase,
  settings: SessionSettings,
  needsPrimary: boolean,
): Promise<void> {
  const { rows } = await client.query<{ isReadOnly: boolean }>(
    `select pg_is_in_recovery() or current_setting('transaction_read_only')::bool as "isReadOnly",
       (select count(set_config(name, value, false)) from unnest($1::text[], $2::text[]) as s (name, value))`,
    [[...settings.keys()], [...settings.values()]],
  );
  if (needsPrimary && rows[0]?.isReadOnly === true) throw new ReadOnlyServer();
}

/** The connected server is read-only. */
class ReadOnlyServer extends Error {
  /** SQLSTATE of a write in a read-only transaction. */
  readonly code = READ_ONLY_SQL_TRANSACTION;

  constructor() {
    super('the server is read-only: it is a standby or has default_transaction_read_only enabled');
    this.name = 'ReadOnlyServer';
  }
}
