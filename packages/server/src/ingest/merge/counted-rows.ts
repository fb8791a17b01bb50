import type { Queryable } from '../../db/transaction.ts';

/**
 * A table of a tenant whose rows have counts as arrays: the n-th count is that of the n-th elements. The values of
 * `key` are the SQL types of its columns; those of `elements` are the arrays, with their types.
 */
export interface CountTable {
  readonly name: string;
  /** The columns of the primary key that follow the tenant. */
  readonly key: Readonly<Record<string, string>>;
  /** The arrays by the name of an element. */
  readonly elements: Readonly<Record<string, CountArray>>;
}

interface CountArray {
  readonly name: string;
  readonly type: string;
  /** Whether the array is null in some rows. */
  readonly isOptional?: boolean;
}

/**
 * Common table expressions that add counts to the rows of a table, and remove counts and rows that have become zero.
 * `sums` is a query or table expression with the columns of the key, the elements, and `count`. New rows are not
 * inserted, so that each statement concerns one node of a cluster: `newRows` selects them for `insertRows`. No other
 * transaction may insert any in the meantime. `$1` is the tenant's id.
 */
export function addCounts(prefix: string, table: CountTable, sums: string): string {
  const key = Object.keys(table.key).join(', ');
  const keyOf = (row: string) =>
    Object.keys(table.key)
      .map((column) => `${row}.${column}`)
      .join(', ');
  const elements = Object.keys(table.elements).join(', ');
  const arrays = Object.entries(table.elements);
  const names = [...arrays.map(([, { name }]) => name), 'counts'];
  // With `=`, a lookup could use a partial index on a truth value (migration 0037) instead of the primary key.
  const hasKey = (row: string, other: string) =>
    Object.entries(table.key)
      .map(([column, type]) => {
        const equals = type === 'boolean' ? 'is not distinct from' : '=';
        return `${row}.${column} ${equals} ${other}.${column}`;
      })
      .join(' and ');
  const collected = [
    ...arrays.map(([element, { name, isOptional = false }]) =>
      isOptional
        ? `case when count(${element}) > 0 then array_agg(${element}) end as ${name}`
        : `array_agg(${element}) as ${name}`,
    ),
    'array_agg(count) as counts',
  ].join(', ');
  const unnested = (row: string) =>
    `select * from unnest(${names.map((name) => `${row}.${name}`).join(', ')}) as ${row}_counts (${elements}, count)`;
  return `${prefix}_added as materialized (
    select ${key}, ${collected} from ${sums} group by ${key}
  ), ${prefix}_known as materialized (
    select t.* from ${prefix}_added as s
    cross join lateral (select * from ${table.name} t where t.tenant_id = $1 and ${hasKey('t', 's')} offset 0) as t
  ), ${prefix}_rows as materialized (
    select ${keyOf('s')}, k.tenant_id is null as is_new, remaining.*
    from ${prefix}_added as s left join ${prefix}_known as k on ${hasKey('k', 's')}
    cross join lateral (
      select ${collected} from (
        select ${elements}, sum(count)::integer as count from (${unnested('s')} union all ${unnested('k')}) as counted
        group by ${elements} having sum(count) <> 0
      ) as summed
    ) as remaining
  ), ${prefix}_emptied as (
    delete from ${table.name} t using ${prefix}_rows s where t.tenant_id = $1 and ${hasKey('t', 's')} and s.counts is null
  ), ${prefix}_updated as (
    update ${table.name} t set ${names.map((name) => `${name} = s.${name}`).join(', ')} from ${prefix}_rows s
    where t.tenant_id = $1 and ${hasKey('t', 's')} and s.counts is not null
  )`;
}

/** SQL for the new rows of `addCounts`, as a JSON array. */
export function newRows(prefix: string): string {
  return `(select coalesce(json_agg(s), '[]')::text from ${prefix}_rows s where is_new and counts is not null)`;
}

/** Inserts the rows that a statement with `newRows` has returned. */
export async function insertRows(
  client: Queryable,
  tenantId: string,
  table: CountTable,
  rows: string,
): Promise<void> {
  if (rows === '[]') return;
  const columns = [
    ...Object.entries(table.key).map(([name, type]) => ({ name, type })),
    ...Object.values(table.elements).map(({ name, type }) => ({ name, type: `${type}[]` })),
    { name: 'counts', type: 'integer[]' },
  ];
  await client.query(
    `insert into ${table.name} (tenant_id, ${columns.map(({ name }) => name).join(', ')})
     select t.tenant_id, w.* from tenants t cross join json_to_recordset($2::json)
       as w (${columns.map(({ name, type }) => `${name} ${type}`).join(', ')})
     where t.tenant_id = $1`,
    [tenantId, rows],
  );
}
