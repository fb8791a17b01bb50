import type pg from 'pg';
import { invalidCursor, type PagePosition, writeCursor } from '../../jsonapi/page.ts';
import type { Query } from '../../jsonapi/query.ts';
import type { SortTerm } from '../../jsonapi/sort.ts';
import { codeOf } from '../../lib/errors.ts';
import type { Queryable } from '../transaction.ts';
import {
  type PageSource,
  type PageStatement,
  pageStatement,
  restrictToSection,
  type Section,
  selectRows,
} from './page-statement.ts';

export interface SelectedPage<Row> extends PagePosition {
  readonly rows: readonly Row[];
}

/**
 * Selects one page of a tenant's rows that match the query's filters. Throws an ApiError (400) for an invalid cursor.
 */
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

/** SQLSTATE class 22, data exception: a value cannot be cast to the type of the sort key. */
const DATA_EXCEPTION = /^22/;

/**
 * Selects the rows after a position in the sort order (one value per sort term), or the first rows if the position is
 * empty. If there is an index on the sort order or on the order within a section, the cost does not depend on the
 * position.
 */
async function selectAfter<Row extends pg.QueryResultRow>(
  client: Queryable,
  statement: PageStatement,
  { order, page }: Query,
  after: readonly string[],
): Promise<SelectedPage<Row>> {
  if (after.length > 0 && after.length !== statement.terms.length) throw invalidCursor();
  // One extra row indicates whether there is another page.
  const rows = await selectRowsAfter<Row>(client, statement, after, page.size + 1).catch((error: unknown) => {
    throw isDataException(error) ? invalidCursor() : error;
  });
  const shown = rows.slice(0, page.size);
  const last = shown.at(-1);
  const next = rows.length > page.size && last !== undefined ? writeCursor(order, last.position) : null;
  return { rows: shown, count: undefined, next };
}

async function selectRowsAfter<Row extends pg.QueryResultRow>(
  client: Queryable,
  statement: PageStatement,
  after: readonly string[],
  take: number,
): Promise<readonly (Row & { readonly position: readonly string[] })[]> {
  const { source, terms } = statement;
  const sections = (await source.sections?.(terms, after)) ?? [
    { values: [], count: Number.POSITIVE_INFINITY },
  ];
  const first = after.length === 0 ? 0 : sections.findIndex(({ values }) => contains(values, after));
  if (first < 0) throw invalidCursor();
  const columns = `${source.columns}, array[${terms.map(({ sql }) => `(${sql})::text`).join(', ')}] as position`;
  const rows: (Row & { readonly position: readonly string[] })[] = [];
  for (const [at, section] of sections.entries()) {
    if (at < first || section.count === 0) continue;
    if (rows.length === take) break;
    const restricted = restrictToSection(statement, section);
    const { terms, bind, values } = restricted;
    const position = at === first ? after.slice(section.values.length) : [];
    const where =
      position.length === 0 ? restricted.where : [...restricted.where, afterPosition(terms, position, bind)];
    const limit = `limit ${bind(take - rows.length)}`;
    rows.push(...(await client.query(selectRows({ ...restricted, where }, limit, columns), values)).rows);
  }
  return rows;
}

function contains(values: readonly string[], position: readonly string[]): boolean {
  return values.every((value, at) => value === position[at]);
}

/**
 * The condition for rows after a position. A separate bound on the first term lets an index scan start at the right row
 * even if a row comparison cannot. A row comparison cannot express different sort directions. With row-level security,
 * it cannot use the index if the comparison function of one of its types (such as an enum) is not leakproof.
 */
function afterPosition(
  terms: readonly SortTerm[],
  position: readonly string[],
  bind: (value: unknown) => string,
): string {
  const bound = terms.map((term, at) => ({ ...term, value: `${bind(position[at])}::${term.type}` }));
  const [first] = bound;
  if (first === undefined) return 'true';
  const from = `${first.sql} ${first.descending ? '<=' : '>='} ${first.value}`;
  if (bound.every(({ descending }) => descending === first.descending)) {
    const columns = bound.map(({ sql }) => sql).join(', ');
    const values = bound.map(({ value }) => value).join(', ');
    return `${from} and (${columns}) ${first.descending ? '<' : '>'} (${values})`;
  }
  const cases = bound.map(({ sql, value, descending }, at) => {
    const equal = bound.slice(0, at).map((term) => `${term.sql} = ${term.value}`);
    return `(${[...equal, `${sql} ${descending ? '<' : '>'} ${value}`].join(' and ')})`;
  });
  return `${from} and (${cases.join(' or ')})`;
}

function isDataException(error: unknown): boolean {
  return DATA_EXCEPTION.test(codeOf(error) ?? '');
}
