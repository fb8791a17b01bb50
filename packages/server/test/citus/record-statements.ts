// Preloaded (`--import`) into a service under test: appends each different statement to the file in RECORD_STATEMENTS
// as JSON, and the same statement with the values of one call as literals. EXPLAIN with parameters fails on the nodes of a Citus cluster.
import { appendFileSync } from 'node:fs';
import pg from 'pg';

const file = process.env.RECORD_STATEMENTS;
if (file === undefined) throw new Error('RECORD_STATEMENTS is not set');
const known = new Set<string>();

/** A query as text or as an object of pg or of pg-copy-streams. */
type Query = string | { readonly text?: string; readonly values?: readonly unknown[] };

function record(sent: Query, values: readonly unknown[] | undefined): void {
  const text = typeof sent === 'string' ? sent : (sent.text ?? '');
  if (known.has(text)) return;
  known.add(text);
  const given = values ?? (typeof sent === 'string' ? [] : (sent.values ?? []));
  const withValues = text.replace(/\$(\d+)\b/g, (_, number: string) => literal(given[Number(number) - 1]));
  appendFileSync(file ?? '', `${JSON.stringify({ text, withValues })}\n`);
}

function literal(value: unknown): string {
  return value === null || value === undefined ? 'null' : pg.escapeLiteral(textOf(value));
}

function textOf(value: unknown): string {
  if (Array.isArray(value)) return `{${value.map(elementOf).join(',')}}`;
  if (value instanceof Date) return value.toISOString();
  if (Buffer.isBuffer(value)) return `\\x${value.toString('hex')}`;
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

function elementOf(value: unknown): string {
  if (value === null) return 'NULL';
  return Array.isArray(value) ? textOf(value) : `"${textOf(value).replace(/[\\"]/g, '\\$&')}"`;
}

pg.Client.prototype.query = new Proxy(pg.Client.prototype.query, {
  apply(query, client, args: [Query?, unknown?]) {
    const [sent = '', values] = args;
    record(sent, Array.isArray(values) ? values : undefined);
    return Reflect.apply(query, client, args);
  },
});
