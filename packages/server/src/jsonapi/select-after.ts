import type pg from 'pg';
import type { Queryable } from '../db/transaction.ts';
import { writeCursor, wrongCursor } from './page.ts';
import { type PageStatement, selectRows } from './page-statement.ts';
import type { Query } from './query.ts';
import type { SelectedPage } from './select-page.ts';
import type { SortTerm } from './sort.ts';

/** SQLSTATE class 22: a value that cannot be what it is cast to. */
const DATA_EXCEPTION = /^22/;

/** The rows behind a place in the order, found by an index where there is one for it, however far it is. */
export async function selectAfter<Row extends pg.QueryResultRow>(
  client: Queryable,
  statement: PageStatement,
  { order, page }: Query,
  after: readonly string[],
): Promise<SelectedPage<Row>> {
  const { source, values, bind, where, terms } = statement;
  if (after.length > 0 && after.length !== terms.length) throw wrongCursor();
  const conditions = after.length === 0 ? where : [...where, behind(terms, after, bind)];
  const place = terms.map(({ sql }) => `(${sql})::text`).join(', ');
  const columns = `${source.columns}, array[${place}] as place`;
  const limit = `limit ${bind(page.size + 1)}`;
  const sql = selectRows({ ...statement, where: conditions }, limit, { columns });
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

function isDataException(error: unknown): boolean {
  return (
    error instanceof Error &&
    'code' in error &&
    typeof error.code === 'string' &&
    DATA_EXCEPTION.test(error.code)
  );
}
