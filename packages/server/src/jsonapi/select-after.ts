import type pg from 'pg';
import type { Queryable } from '../db/transaction.ts';
import { codeOf } from '../error-code.ts';
import { writeCursor, wrongCursor } from './page.ts';
import { type PageStatement, restrictToSection, selectRows } from './page-statement.ts';
import type { Query } from './query.ts';
import type { SelectedPage } from './select-page.ts';
import type { SortTerm } from './sort.ts';

/** SQLSTATE class 22: a value that cannot be what it is cast to. */
const DATA_EXCEPTION = /^22/;

/**
 * The rows behind a place in the order, one value for each sort term, or from its start where there is none: found by an
 * index where there is one for the order, or for that within a section, however far it is.
 */
export async function selectAfter<Row extends pg.QueryResultRow>(
  client: Queryable,
  statement: PageStatement,
  { order, page }: Query,
  after: readonly string[],
): Promise<SelectedPage<Row>> {
  if (after.length > 0 && after.length !== statement.terms.length) throw wrongCursor();
  // One more tells whether there is another page.
  const rows = await selectRowsAfter<Row>(client, statement, after, page.size + 1).catch((error: unknown) => {
    throw isDataException(error) ? wrongCursor() : error;
  });
  const shown = rows.slice(0, page.size);
  const last = shown.at(-1);
  const next = rows.length > page.size && last !== undefined ? writeCursor(order, last.place) : null;
  return { rows: shown, count: undefined, next };
}

async function selectRowsAfter<Row extends pg.QueryResultRow>(
  client: Queryable,
  statement: PageStatement,
  after: readonly string[],
  take: number,
): Promise<readonly (Row & { readonly place: readonly string[] })[]> {
  const { source, terms } = statement;
  const sections = (await source.sections?.(terms, after)) ?? [
    { values: [], count: Number.POSITIVE_INFINITY },
  ];
  const first = after.length === 0 ? 0 : sections.findIndex(({ values }) => isAt(values, after));
  if (first < 0) throw wrongCursor();
  const columns = `${source.columns}, array[${terms.map(({ sql }) => `(${sql})::text`).join(', ')}] as place`;
  const rows: (Row & { readonly place: readonly string[] })[] = [];
  for (const [at, section] of sections.entries()) {
    if (at < first || section.count === 0) continue;
    if (rows.length === take) break;
    const part = restrictToSection(statement, section);
    const place = at === first ? after.slice(section.values.length) : [];
    const where = place.length === 0 ? part.where : [...part.where, behind(part.terms, place, part.bind)];
    const limit = `limit ${part.bind(take - rows.length)}`;
    rows.push(...(await client.query(selectRows({ ...part, where }, limit, columns), part.values)).rows);
  }
  return rows;
}

function isAt(values: readonly string[], place: readonly string[]): boolean {
  return values.every((value, at) => value === place[at]);
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
  return DATA_EXCEPTION.test(codeOf(error) ?? '');
}
