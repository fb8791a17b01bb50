import type pg from 'pg';
import type { Queryable } from '../db/transaction.ts';
import type { Condition } from './filters.ts';
import { writeCursor, wrongCursor } from './page.ts';
import type { Query } from './query.ts';
import { orderBy, type SortTerm } from './sort.ts';

export interface PageSource {
  readonly columns: string;
  /** What stands behind `from`: a table, or a join. Its tenant is `tenantColumn`. */
  readonly table: string;
  readonly tenantColumn?: string;
  /** Makes the order total, so that no row stands on two pages. */
  readonly tieBreaker: SortTerm | readonly SortTerm[];
  /** Beside the tenant and the filters. */
  readonly conditions?: readonly Condition[];
}

export interface SelectedPage<Row> {
  readonly rows: readonly Row[];
  /** Of all pages; `undefined` for a page after a row: counting would take longer than reading. */
  readonly count: number | undefined;
  /** The cursor of the page's last row; `null`: it is the last page. Only of a page after a row. */
  readonly next: string | null;
}

/** SQLSTATE class 22: a value that cannot be what it is cast to. */
const DATA_EXCEPTION = /^22/;

/** One page of a tenant's rows under the query's filters. Throws an ApiError for a cursor that cannot be read. */
export async function selectPage<Row extends pg.QueryResultRow>(
  client: Queryable,
  source: PageSource,
  tenantId: string,
  query: Query,
): Promise<SelectedPage<Row>> {
  const values: unknown[] = [];
  const bind = (value: unknown): string => `$${values.push(value)}`;
  const where = [
    `${source.tenantColumn ?? 'tenant_id'} = ${bind(tenantId)}`,
    ...[...(source.conditions ?? []), ...query.conditions].map(({ sql }) => sql(bind)),
  ];
  const terms = [...query.sort, ...tieBreakers(source, query.sort)];
  if (query.page.after !== undefined)
    return await selectAfter<Row>(client, source, query, { values, bind, where, terms }, query.page.after);
  const filtered = `from ${source.table} where ${where.join(' and ')}`;
  const counted = await client.query<{ count: number }>(`select count(*)::float8 as count ${filtered}`, [
    ...values,
  ]);
  const { number, size } = query.page;
  const { rows } = await client.query<Row>(
    `select ${source.columns} ${filtered} order by ${orderBy(terms)} limit ${bind(size)} offset ${bind((number - 1) * size)}`,
    values,
  );
  return { rows, count: counted.rows[0]?.count ?? 0, next: null };
}

interface Statement {
  readonly values: unknown[];
  readonly bind: (value: unknown) => string;
  readonly where: string[];
  readonly terms: readonly SortTerm[];
}

/** The rows behind a place in the order, found by an index where there is one for it, however far it is. */
async function selectAfter<Row extends pg.QueryResultRow>(
  client: Queryable,
  { columns, table }: PageSource,
  { order, page }: Query,
  { values, bind, where, terms }: Statement,
  after: readonly string[],
): Promise<SelectedPage<Row>> {
  if (after.length > 0 && after.length !== terms.length) throw wrongCursor();
  const conditions = after.length === 0 ? where : [...where, behind(terms, after, bind)];
  const place = terms.map(({ sql }) => `(${sql})::text`).join(', ');
  const sql = `select ${columns}, array[${place}] as place from ${table} where ${conditions.join(' and ')}
    order by ${orderBy(terms)} limit ${bind(page.size + 1)}`;
  const { rows } = await client.query<Row & { place: string[] }>(sql, values).catch((error: unknown) => {
    throw isDataException(error) ? wrongCursor() : error;
  });
  const shown = rows.slice(0, page.size);
  const last = shown.at(-1);
  const next = rows.length > page.size && last !== undefined ? writeCursor(order, last.place) : null;
  return { rows: shown, count: undefined, next };
}

/**
 * The rows behind a place. The first term's bound stands apart, so that an index on it is entered at the right row also
 * where the directions differ, which no comparison of rows can say.
 */
function behind(
  terms: readonly SortTerm[],
  place: readonly string[],
  bind: (value: unknown) => string,
): string {
  const bound = terms.map((term, at) => ({ ...term, value: `${bind(place[at])}::${term.type}` }));
  const beyond = ({ sql, value, descending }: (typeof bound)[number]) =>
    `${sql} ${descending ? '<' : '>'} ${value}`;
  const same = new Set(terms.map(({ descending }) => descending)).size === 1;
  if (same) {
    const columns = bound.map(({ sql }) => sql).join(', ');
    const values = bound.map(({ value }) => value).join(', ');
    return `(${columns}) ${bound[0]?.descending ? '<' : '>'} (${values})`;
  }
  const cases = bound.map((term, at) =>
    [...bound.slice(0, at).map(({ sql, value }) => `${sql} = ${value}`), beyond(term)].join(' and '),
  );
  const [first] = bound;
  const from = first === undefined ? 'true' : `${first.sql} ${first.descending ? '<=' : '>='} ${first.value}`;
  return `${from} and (${cases.map((condition) => `(${condition})`).join(' or ')})`;
}

/** In the direction of the last key, so that an index with both serves either direction. */
function tieBreakers({ tieBreaker }: PageSource, sort: readonly SortTerm[]): readonly SortTerm[] {
  const descending = sort.at(-1)?.descending ?? false;
  return [tieBreaker].flat().map((term) => ({ ...term, descending }));
}

function isDataException(error: unknown): boolean {
  return (
    error instanceof Error &&
    'code' in error &&
    typeof error.code === 'string' &&
    DATA_EXCEPTION.test(error.code)
  );
}
