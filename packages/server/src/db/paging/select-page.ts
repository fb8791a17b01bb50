import type pg from 'pg';
import { invalidCursor, type PagePosition, writeCursor } from '../../jsonapi/page.ts';
import type { Query } from '../../jsonapi/query.ts';
import { codeOf } from '../../lib/errors.ts';
import { withoutIndexScans } from '../planner-settings.ts';
import type { Queryable } from '../transaction.ts';
import {
  type PageSource,
  type PageStart,
  type PageStatement,
  pageStatement,
  restrictToSection,
  rowsBefore,
  type Sections,
  selectByIds,
  selectIds,
  selectRows,
} from './page-statement.ts';
import { afterPosition } from './position.ts';

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
  const { number, size, after, position } = query.page;
  if (position !== undefined)
    return await selectFrom<Row>(client, statement, query, await locate(client, statement, position, size));
  if (after !== undefined) return await selectAfter<Row>(client, statement, query, after);
  const range = { skip: (number - 1) * size, take: size };
  const sections = await source.sections?.(statement.terms, range);
  const count = sections?.count ?? (await countRows(client, statement));
  const rows = await readSections<Row>(client, statement, {
    ...(sections ?? { sections: [{ values: [], count }], skip: range.skip }),
    take: size,
  });
  return { rows, count, next: null };
}

async function countRows(client: Queryable, { source, where, values }: PageStatement): Promise<number> {
  const { rows } = await client.query<{ count: number }>(
    `select count(*)::float8 as count from ${source.table} where ${where.join(' and ')}`,
    values,
  );
  return rows[0]?.count ?? 0;
}

interface SectionRows extends Sections {
  readonly take: number;
  /** The position in the sort order after which the rows are; empty if they start with the first section. */
  readonly after?: readonly string[];
  readonly columns?: string;
}

/** Selects rows with one statement per section, so that rows in preceding sections are not read. */
async function readSections<Row extends pg.QueryResultRow>(
  client: Queryable,
  statement: PageStatement,
  { sections, skip, take, after = [], columns = statement.source.columns }: SectionRows,
): Promise<readonly Row[]> {
  const rows: Row[] = [];
  let offset = skip;
  for (const section of sections) {
    const { values, count = Number.POSITIVE_INFINITY, isSparse, isScanned } = section;
    const wanted = Math.min(take - rows.length, count - offset);
    if (wanted > 0) {
      const restricted = restrictToSection(statement, section);
      const { bind, terms } = restricted;
      const position = contains(values, after) ? after.slice(values.length) : [];
      const where =
        position.length === 0
          ? restricted.where
          : [...restricted.where, afterPosition(terms, position, bind)];
      const limit = `limit ${bind(wanted)}${offset > 0 ? ` offset ${bind(offset)}` : ''}`;
      const selected = { ...restricted, where };
      rows.push(
        ...(isScanned
          ? await scanSection<Row>(client, selected, limit, columns)
          : (await client.query<Row>(selectRows(selected, limit, columns, isSparse), restricted.values))
              .rows),
      );
    }
    if (rows.length === take) break;
    offset = Math.max(0, offset - count);
  }
  return rows;
}

/**
 * Selects the ids in one statement and the rows in another: the planner setting must not apply to the lookups of the
 * rows. The first parameter of every page statement is the tenant's id.
 */
async function scanSection<Row extends pg.QueryResultRow>(
  client: Queryable,
  statement: PageStatement,
  limit: string,
  columns: string,
): Promise<readonly Row[]> {
  const found = await withoutIndexScans(client, () =>
    client.query<{ id: string }>(selectIds(statement, limit, false), statement.values),
  );
  const ids = found.rows.map(({ id }) => id);
  const text = selectByIds({ ...statement, tenant: '$1' }, '$2::uuid[]', columns);
  return (await client.query<Row>(text, [statement.values[0], ids])).rows;
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
  query: Query,
  after: readonly string[],
): Promise<SelectedPage<Row>> {
  if (after.length > 0 && after.length !== statement.terms.length) throw invalidCursor();
  return await selectFrom<Row>(client, statement, query, { after }).catch((error: unknown) => {
    throw isDataException(error) ? invalidCursor() : error;
  });
}

async function locate(
  client: Queryable,
  statement: PageStatement,
  fraction: number,
  size: number,
): Promise<PageStart> {
  const start = await statement.source.locate?.(statement.terms, fraction, size);
  return start ?? { skip: rowsBefore(await countRows(client, statement), fraction, size) };
}

/** Selects the page that begins there, and the cursor of the next one. */
async function selectFrom<Row extends pg.QueryResultRow>(
  client: Queryable,
  statement: PageStatement,
  { order, page }: Query,
  start: PageStart,
): Promise<SelectedPage<Row>> {
  const { source, terms } = statement;
  // One extra row indicates whether there is another page.
  const take = page.size + 1;
  const sections = await source.sections?.(terms, { ...start, take });
  const whole = { sections: [{ values: [] }], skip: 'skip' in start ? start.skip : 0 };
  const rows = await readSections<Row & { readonly position: readonly string[] }>(client, statement, {
    ...(sections ?? whole),
    take,
    ...('after' in start && { after: start.after }),
    columns: `${source.columns}, array[${terms.map(({ sql }) => `(${sql})::text`).join(', ')}] as position`,
  });
  const shown = rows.slice(0, page.size);
  const last = shown.at(-1);
  const next = rows.length > page.size && last !== undefined ? writeCursor(order, last.position) : null;
  return { rows: shown, count: undefined, next };
}

function contains(values: readonly string[], position: readonly string[]): boolean {
  return position.length > 0 && values.every((value, at) => value === position[at]);
}

function isDataException(error: unknown): boolean {
  return DATA_EXCEPTION.test(codeOf(error) ?? '');
}
