import type pg from 'pg';
import type { Queryable } from '../db/transaction.ts';
import type { Condition, ListQuery } from './query.ts';

export interface PageSource {
  readonly columns: string;
  readonly table: string;
  /** Makes the order total, so that no row stands on two pages. */
  readonly tieBreaker: string;
  /** Beside the tenant and the filters. */
  readonly conditions?: readonly Condition[];
}

/** One page of a tenant's rows under the query's filters, and how many there are in all. */
export async function selectPage<Row extends pg.QueryResultRow>(
  client: Queryable,
  { columns, table, tieBreaker, conditions = [] }: PageSource,
  tenantId: string,
  query: ListQuery,
): Promise<{ rows: Row[]; count: number }> {
  const values: unknown[] = [];
  const bind = (value: unknown): string => `$${values.push(value)}`;
  const where = [
    `tenant_id = ${bind(tenantId)}`,
    ...[...conditions, ...query.conditions].map(({ sql }) => sql(bind)),
  ];
  const filtered = `from ${table} where ${where.join(' and ')}`;
  const counted = await client.query<{ count: number }>(`select count(*)::float8 as count ${filtered}`, [
    ...values,
  ]);
  const { number, size } = query.page;
  const { rows } = await client.query<Row>(
    `select ${columns} ${filtered} order by ${query.orderBy}, ${tieBreaker} limit ${bind(size)} offset ${bind((number - 1) * size)}`,
    values,
  );
  return { rows, count: counted.rows[0]?.count ?? 0 };
}
