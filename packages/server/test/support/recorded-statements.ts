import { readFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type pg from 'pg';
import { openConnection } from '../../src/db/connect.ts';
import { findMigrated } from '../../src/db/migrate.ts';
import type { Environment } from './service.ts';

const RECORDER = path.join(import.meta.dirname, '../citus/record-statements.ts');

/** Work that is looked for regularly. */
const ABOUT_ALL_TENANTS = [
  /^select tenant_id as "tenantId", provider_id as "providerId" from provider_removals order by requested_at$/,
  /^select tenant_id as id from tenant_housekeeping where oldest_key_at </,
  /^select tenant_id as id from tenant_housekeeping where tenant_id = any\(/,
];

/** Whether a statement has to use all nodes. */
export function isAboutAllTenants(statement: string): boolean {
  return ABOUT_ALL_TENANTS.some((one) => one.test(statement));
}

/** Settings with which a process writes its statements to the file. */
export function recordingTo(file: string): Environment {
  const preload = `--import=${pathToFileURL(RECORDER).href}`;
  return { NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ''} ${preload}`, RECORD_STATEMENTS: file };
}

/**
 * Returns the recorded statements, with their plans, that use more than one shard or several steps.
 */
export async function findDistributedStatements(
  databaseUrl: string,
  file: string,
): Promise<{ readonly count: number; readonly found: readonly { statement: string; plan: string }[] }> {
  // Several processes may have recorded the same statement.
  const recorded = new Map<string, string>();
  for (const line of readFileSync(file, 'utf8').trimEnd().split('\n')) {
    const { text, withValues }: { readonly text: string; readonly withValues: string } = JSON.parse(line);
    const query = queryOf(withValues);
    if (query !== undefined) recorded.set(text, query);
  }
  const statements = [...recorded.values()];
  const found: { statement: string; plan: string }[] = [];
  const { database } = await findMigrated(databaseUrl, false);
  const client = await openConnection(database, { applicationName: 'sluice test' });
  for (const statement of statements) {
    const plan = await explain(client, statement);
    const tasks = [...plan.matchAll(/Task Count: (\d+)/g)].map(([, count]) => count);
    const isOneTask = tasks.length === 1 && tasks[0] === '1' && !/Distributed Subplan/.test(plan);
    const isLocal = tasks.length === 0 && !/Citus|^ERROR/.test(plan);
    if (!isOneTask && !isLocal) found.push({ statement, plan });
  }
  await client.end();
  return { count: statements.length, found };
}

/** The query of a statement, without what EXPLAIN does not accept; `undefined` if the statement has none. */
function queryOf(statement: string): string | undefined {
  const text = statement
    .trim()
    .replace(/^declare .*? for\b/is, '')
    .replace(/^copy \((.*)\) to stdout.*$/is, '$1')
    .trim();
  return /^(?:with|select|insert|update|delete)\b/i.test(text) ? text : undefined;
}

async function explain(client: pg.ClientBase, statement: string): Promise<string> {
  try {
    const { rows } = await client.query<{ 'QUERY PLAN': string }>(`explain (costs off) ${statement}`);
    return rows.map((row) => row['QUERY PLAN']).join('\n');
  } catch (error) {
    return `ERROR ${String(error)}`;
  }
}
