import type pg from 'pg';
import type { Queryable } from '../db/transaction.ts';
import {
  type PageSource,
  type PageStatement,
  pageStatement,
  type Section,
  selectRows,
} from './page-statement.ts';
import type { Query } from './query.ts';
import { selectAfter } from './select-after.ts';

export interface SelectedPage<Row> {
  readonly rows: readonly Row[];
  /** Of all pages; `undefined` for a page after a row: counting would take longer than reading. */
  readonly count: number | undefined;
  /** The cursor of the page's last row; `null`: it is the last page. Only of a page after a row. */
  readonly next: string | null;
}

/** One page of a tenant's rows under the query's filters. Throws an ApiError for a cursor that cannot be read. */
export async function selectPage<Row extends pg.QueryResultRow>(
  client: Queryable,
  source: PageSource,
  tenantId: string,
  query: Query,
): Promise<SelectedPage<Row>> {
  const statement = pageStatement(source, tenantId, query);
  const { number, size, after } = query.page;
  if (after !== undefined) return await selectAfter<Row>(client, statement, query, after);
  const stretch = { skip: (number - 1) * size, take: size };
  const { sections } = source;
  if (sections !== undefined) {
    const count = sections.reduce((sum, section) => sum + section.count, 0);
    return { rows: await selectStretch<Row>(client, statement, sections, stretch), count, next: null };
  }
  const count = await countRows(client, statement);
  // Rows that were just counted, few as they are, are soon read again; in the order of an index they could stand far apart.
  const gather = count <= (source.gatheredRows ?? 0);
  const rows =
    stretch.skip < count ? await selectSection<Row>(client, statement, { count }, stretch, gather) : [];
  return { rows, count, next: null };
}

interface Stretch {
  readonly skip: number;
  readonly take: number;
}

async function countRows(client: Queryable, { source, where, values }: PageStatement): Promise<number> {
  const { rows } = await client.query<{ count: number }>(
    `select count(*)::float8 as count from ${source.table} where ${where.join(' and ')}`,
    values,
  );
  return rows[0]?.count ?? 0;
}

/** The sections that the stretch lies in, each by a statement of its own: none reads a row of the sections before. */
async function selectStretch<Row extends pg.QueryResultRow>(
  client: Queryable,
  statement: PageStatement,
  sections: readonly Section[],
  { skip, take }: Stretch,
): Promise<readonly Row[]> {
  const rows: Row[] = [];
  let before = skip;
  for (const section of sections) {
    if (rows.length === take) break;
    if (before < section.count) {
      const part = { skip: before, take: Math.min(take - rows.length, section.count - before) };
      rows.push(...(await selectSection<Row>(client, statement, section, part)));
    }
    before = Math.max(0, before - section.count);
  }
  return rows;
}

async function selectSection<Row extends pg.QueryResultRow>(
  client: Queryable,
  statement: PageStatement,
  { condition }: Section,
  { skip, take }: Stretch,
  gather = false,
): Promise<readonly Row[]> {
  const values = [...statement.values];
  const bind = (value: unknown): string => `$${values.push(value)}`;
  const { tenant, where, terms } = statement;
  const part =
    condition === undefined
      ? statement
      : { ...statement, where: [...where, condition.sql(bind, tenant)], terms: terms.slice(1) };
  const limit = `limit ${bind(take)} offset ${bind(skip)}`;
  const { rows } = await client.query<Row>(selectRows(part, limit, { gather }), values);
  return rows;
}
