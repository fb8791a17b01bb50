import type { Queryable } from './transaction.ts';

type Settings = Readonly<Record<string, 'on' | 'off' | 'default'>>;

/**
 * If there is no other plan, PostgreSQL uses a method that is switched off. Before version 18, this adds such high costs that
 * the plan is compiled, which takes longer than to run the statement.
 */
const UNCOMPILED = { jit: 'off' } as const;

/** The settings that the open transaction of a connection has changed. */
const changed = new WeakMap<Queryable, Settings>();

/** Must be called at the beginning of each transaction. */
export function resetPlannerSettings(client: Queryable): void {
  changed.delete(client);
}

/**
 * For the rest of the transaction, PostgreSQL reads many rows in their physical order. With outdated statistics, it
 * would read all rows of a tenant one by one through an index that begins with the tenant. Bitmap scans are not
 * affected.
 */
export async function avoidIndexScans(client: Queryable): Promise<void> {
  await set(client, { enable_indexscan: 'off', ...UNCOMPILED });
}

/** Like `avoidIndexScans`, but only until the work is done. */
export async function withoutIndexScans<Result>(
  client: Queryable,
  work: () => Promise<Result>,
): Promise<Result> {
  return await withSettings(client, { enable_indexscan: 'off' }, work);
}

/**
 * Until the work is done, PostgreSQL reads tables through indexes. For statements that an index covers: with outdated
 * statistics, it might read the whole table instead.
 */
export async function withForcedIndexScans<Result>(
  client: Queryable,
  work: () => Promise<Result>,
): Promise<Result> {
  const settings = { enable_indexscan: 'on', enable_seqscan: 'off', enable_bitmapscan: 'off' } as const;
  return await withSettings(client, settings, work);
}

/**
 * Until the work is done, PostgreSQL joins with hash tables. With outdated statistics, it might compare each row with
 * all rows of the other side.
 */
export async function withHashJoins<Result>(client: Queryable, work: () => Promise<Result>): Promise<Result> {
  return await withSettings(client, { enable_nestloop: 'off', enable_mergejoin: 'off' }, work);
}

async function withSettings<Result>(
  client: Queryable,
  settings: Settings,
  work: () => Promise<Result>,
): Promise<Result> {
  const before = changed.get(client) ?? {};
  const all = { ...settings, ...UNCOMPILED };
  await set(client, all);
  // After an error, the transaction is rolled back.
  const result = await work();
  await set(client, Object.fromEntries(Object.keys(all).map((name) => [name, before[name] ?? 'default'])));
  return result;
}

/**
 * `set local` instead of `set_config`, because Citus passes only the former on to the node that runs the statements.
 */
async function set(client: Queryable, settings: Settings): Promise<void> {
  changed.set(client, { ...changed.get(client), ...settings });
  await client.query(
    Object.entries(settings)
      .map(([name, value]) => `set local ${name} to ${value}`)
      .join('; '),
  );
}
