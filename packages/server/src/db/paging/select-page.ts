import type pg from 'pg';
import type { PagePosition } from '../../jsonapi/page.ts';
import type { Query } from '../../jsonapi/query.ts';
import type { Queryable } from '../transaction.ts';
import {
  type PageSource,
  type PageStatement,
  pageStatement,
  restrictToSection,
  type Section,
  selectRows,
} from './page-statement.ts';
import { selectAfter } from './select-after.ts';

export interface SelectedPage<Row> extends PagePosition {
  readonly rows: readonly Row[];
}

/** Selects one page of a tenant's rows that match the query's filters. Throws an ApiError (400) for an invalid cursor. */
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

/** Selects a range of rows with one statement per section, so that rows in preceding sections are not read. */
async function selectRange<Row extends pg.QueryResultRow>(
  client: Queryable,
  statement: PageStatement,
  sections: readonly Section[],
  { skip, take }: { readonly skip: number; readonly take: number },
): Promise<readonly Row[]> {
  const rows: Row[] = [];
  let offset = skip;
  for (const section of sections) {
    if (rows.length === take) break;
    const count = Math.min(take - rows.length, section.count - offset);
    if (count > 0) {
      const restricted = restrictToSection(statement, section);
      const limit = `limit ${restricted.bind(count)} offset ${restricted.bind(offset)}`;
      rows.push(...(await client.query<Row>(selectRows(restricted, limit), restricted.values)).rows);
    }
    offset = Math.max(0, offset - section.count);
  }
  return rows;
}
