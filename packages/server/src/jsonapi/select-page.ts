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
  /**
   * What is joined to the rows of the page and to no others, given the tenant's parameter. `table` is one table with
   * an `id` then; only that is read of the rows before the page, out of an index where one has the order.
   */
  readonly joins?: (tenant: string) => string;
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
  const tenant = bind(tenantId);
  const where = [
    `${source.tenantColumn ?? 'tenant_id'} = ${tenant}`,
    ...[...(source.conditions ?? []), ...query.conditions].map(({ sql }) => sql(bind, tenant)),
  ];
  const terms = [...query.sort, ...tieBreakers(source, query.sort)];
  if (query.page.after !== undefined)
    return await selectAfter<Row>(
      client,
      source,
      query,
      { values, bind, tenant, where, terms },
      query.page.after,
    );
  const filtered = `from ${source.table} where ${where.join(' and ')}`;
  const counted = await client.query<{ count: number }>(`select count(*)::float8 as count ${filtered}`, [
    ...values,
  ]);
  const { number, size } = query.page;
  const limit = `limit ${bind(size)} offset ${bind((number - 1) * size)}`;
  const { rows } = await client.query<Row>(
    selection(source, source.columns, { where, terms, tenant }, limit),
    values,
  );
  return { rows, count: counted.rows[0]?.count ?? 0, next: null };
}

interface Selection {
  readonly tenant: string;
  readonly where: readonly string[];
  readonly terms: readonly SortTerm[];
}

interface Statement extends Selection {
  readonly values: unknown[];
  readonly bind: (value: unknown) => string;
}

function selection(
  { table, joins }: PageSource,
  columns: string,
  { tenant, where, terms }: Selection,
  limit: string,
): string {
  const ordered = `from ${table} where ${where.join(' and ')} order by ${orderBy(terms)} ${limit}`;
  if (joins === undefined) return `select ${columns} ${ordered}`;
  return `select ${columns} from (select ${table}.id ${ordered}) as page
    join ${table} on ${table}.tenant_id = ${tenant} and ${table}.id = page.id ${joins(tenant)} order by ${orderBy(terms)}`;
}

/** The rows behind a place in the order, found by an index where there is one for it, however far it is. */
async function selectAfter<Row extends pg.QueryResultRow>(
  client: Queryable,
  source: PageSource,
  { order, page }: Query,
  { values, bind, tenant, where, terms }: Statement,
  after: readonly string[],
): Promise<SelectedPage<Row>> {
  if (after.length > 0 && after.length !== terms.length) throw wrongCursor();
  const conditions = after.length === 0 ? where : [...where, behind(terms, after, bind)];
  const place = terms.map(({ sql }) => `(${sql})::text`).join(', ');
  const columns = `${source.columns}, array[${place}] as place`;
  const limit = `limit ${bind(page.size + 1)}`;
  const sql = selection(source, columns, { where: conditions, terms, tenant }, limit);
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
 * where the directions differ, which no comparison of rows can say, and where row level security keeps a comparison out
 * of the index because one of its types is compared by a function that is not leakproof: an enum.
 */
function behind(
  terms: readonly SortTerm[],
  place: readonly string[],
  bind: (value: unknown) => string,
): string {
  const bound = terms.map((term, at) => ({ ...term, value: `${bind(place[at])}::${term.type}` }));
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

/** In the direction of the last key, so that an index with both serves either direction. */
function tieBreakers({ tieBreaker }: PageSource, sort: readonly SortTerm[]): readonly SortTerm[] {
  const descending = sort.at(-1)?.descending ?? false;
  const sorted = new Set(sort.map(({ sql }) => sql));
  return [tieBreaker]
    .flat()
    .filter(({ sql }) => !sorted.has(sql))
    .map((term) => ({ ...term, descending }));
}

function isDataException(error: unknown): boolean {
  return (
    error instanceof Error &&
    'code' in error &&
    typeof error.code === 'string' &&
    DATA_EXCEPTION.test(error.code)
  );
}
