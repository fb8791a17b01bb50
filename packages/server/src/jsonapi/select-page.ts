import type pg from 'pg';
import type { Queryable } from '../db/transaction.ts';
import {
  type PageSource,
  type PageStatement,
  pageStatement,
  restrictToSection,
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
  const sections = (await source.sections?.(statement.terms, [])) ?? [
    { values: [], count: await countRows(client, statement) },
  ];
  return {
    rows: await selectRange<Row>(client, statement, sections, { skip: (number - 1) * size, take: size }),
    count: sections.reduce((sum, section) => sum + section.count, 0),
    next: null,
  };
}

async function countRows(client: Queryable, { source, where, values }: PageStatement): Promise<number> {
  const { rows } = await client.query<{ count: number }>(
    `select count(*)::float8 as count from ${source.table} where ${where.join(' and ')}`,
    values,
  );
  return rows[0]?.count ?? 0;
}

/** The sections that the stretch lies in, each by a statement of its own: none reads a row of the sections before. */
async function selectRange<Row extends pg.QueryResultRow>(
  client: Queryable,
  statement: PageStatement,
  sections: readonly Section[],
  { skip, take }: { readonly skip: number; readonly take: number },
): Promise<readonly Row[]> {
  const rows: Row[] = [];
  let before = skip;
  for (const section of sections) {
    if (rows.length === take) break;
    const number = Math.min(take - rows.length, section.count - before);
    if (number > 0) {
      const part = restrictToSection(statement, section);
      const limit = `limit ${part.bind(number)} offset ${part.bind(before)}`;
      rows.push(...(await client.query<Row>(selectRows(part, limit), part.values)).rows);
    }
    before = Math.max(0, before - section.count);
  }
  return rows;
}
