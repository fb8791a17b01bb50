import type { Condition } from '../../jsonapi/filters.ts';
import type { Query } from '../../jsonapi/query.ts';
import { orderBy, type SortTerm } from '../../jsonapi/sort.ts';

/** The source of a list's rows. */
export interface PageSource {
  readonly columns: string;
  /** The `from` clause: a table or a join. */
  readonly table: string;
  readonly tenantColumn?: string;
  /**
   * Joins that are evaluated only for the rows of the page. `table` must then be a single table with an `id`. Only the
   * ids of rows before the page are read, from an index if there is one with the same sort order.
   */
  readonly joins?: string;
  /** Makes the sort order unambiguous, so that no row appears on two pages. */
  readonly tieBreaker: SortTerm | readonly SortTerm[];
  /** Conditions in addition to the tenant condition and the filters. */
  readonly conditions?: readonly Condition[];
  /**
   * The sections with the rows of a page, in sort order; `undefined` if they cannot be determined without reading the
   * rows.
   */
  readonly sections?: (terms: readonly SortTerm[], range: PageRange) => Promise<Sections | undefined>;
  /**
   * Where the page starts that follows this fraction of the list; `undefined` if that cannot be determined without
   * reading the rows.
   */
  readonly locate?: (
    terms: readonly SortTerm[],
    fraction: number,
    size: number,
  ) => Promise<PageStart | undefined>;
}

/** Where a page begins: after a number of rows, or after a position in the sort order (one value per term, or none). */
export type PageStart = { readonly skip: number } | { readonly after: readonly string[] };

/** The number of rows before the page that follows this fraction of the list. The page is full if possible. */
export function rowsBefore(count: number, fraction: number, size: number): number {
  return Math.max(0, Math.min(Math.floor(count * fraction), count - size));
}

/** The rows of a page: those after a position in the sort order (one value per term, or none), or a number of rows. */
export type PageRange =
  | { readonly after: readonly string[]; readonly take: number }
  | { readonly skip: number; readonly take: number };

/** Consecutive rows in the sort order. */
export interface Section {
  /** Values of the first sort keys that all rows of the section have in common, as text. */
  readonly values: readonly string[];
  /** Selects the rows of the section. By default, those with `values`. */
  readonly condition?: (bind: (value: unknown) => string) => string;
  /** `undefined` if unknown. */
  readonly count?: number;
  /** Whether only a few of the rows that an index in sort order leads to are in the section. */
  readonly isSparse?: boolean;
  /**
   * Whether to read the rows in their physical order, because an index leads to too many or too scattered rows.
   * Requires a table with an `id`.
   */
  readonly isScanned?: boolean;
}

export interface Sections {
  /** Consecutive sections. The first one contains the first row of the page, and all of them contain the whole page. */
  readonly sections: readonly Section[];
  /** Number of rows before the page in the first section, unless the page is after a position. */
  readonly skip: number;
  /** Total number of matching rows. Not required for a page after a position. */
  readonly count?: number;
}

/** The clauses shared by all statements for a page, and their parameter values. */
export interface PageStatement {
  readonly source: PageSource;
  readonly values: unknown[];
  readonly bind: (value: unknown) => string;
  readonly tenant: string;
  readonly where: readonly string[];
  readonly terms: readonly SortTerm[];
}

/** Builds the clauses and parameter values for a tenant's rows that match the query. */
export function pageStatement(source: PageSource, tenantId: string, query: Query): PageStatement {
  const values: unknown[] = [];
  const bind = (value: unknown): string => `$${values.push(value)}`;
  const tenant = bind(tenantId);
  const conditions = [...(source.conditions ?? []), ...query.conditions];
  return {
    source,
    values,
    bind,
    tenant,
    where: [
      `${source.tenantColumn ?? 'tenant_id'} = ${tenant}`,
      ...conditions.map(({ sql }) => sql(bind, tenant)),
    ],
    terms: [...query.sort, ...tieBreakers(source, query.sort)],
  };
}

/**
 * Restricts the statement to one section. Sort keys whose values are the same for all rows of the section are omitted
 * from the sort terms.
 */
export function restrictToSection(
  statement: PageStatement,
  { values, condition }: Pick<Section, 'values' | 'condition'>,
): PageStatement {
  const parameters = [...statement.values];
  const bind = (value: unknown): string => `$${parameters.push(value)}`;
  const common = () =>
    values.flatMap((value, at) => {
      const term = statement.terms[at];
      return term === undefined ? [] : [`${term.sql} = ${bind(value)}::${term.type}`];
    });
  return {
    ...statement,
    values: parameters,
    bind,
    where: [...statement.where, ...(condition === undefined ? common() : [condition(bind)])],
    terms: statement.terms.slice(values.length),
  };
}

/** The statement that selects the matching rows in sort order. */
export function selectRows(
  { source, tenant, where, terms }: PageStatement,
  limit: string,
  columns = source.columns,
  isSparse = false,
): string {
  const { table, joins } = source;
  if (joins === undefined)
    return `select ${columns} from ${table} where ${where.join(' and ')} order by ${orderBy(terms)} ${limit}`;
  const ids = `array(${selectIds({ source, where, terms }, limit, isSparse)})`;
  return selectByIds({ source, tenant, terms }, ids, columns);
}

/** The statement that selects the ids of the matching rows in sort order. */
export function selectIds(
  { source: { table }, where, terms }: Pick<PageStatement, 'source' | 'where' | 'terms'>,
  limit: string,
  isSparse: boolean,
): string {
  const ordered = `order by ${orderBy(terms)} ${limit}`;
  const matching = `from ${table} where ${where.join(' and ')}`;
  // `offset 0` prevents PostgreSQL from searching for the rows in sort order.
  return isSparse
    ? `select ${table}.id from (select ${table}.* ${matching} offset 0) as ${table} ${ordered}`
    : `select ${table}.id ${matching} ${ordered}`;
}

/**
 * The statement that selects the rows with these ids in sort order. A join would be slow: without statistics for newly
 * ingested rows, PostgreSQL would read all of the tenant's rows for each row of the page.
 */
export function selectByIds(
  { source: { table, joins }, tenant, terms }: Pick<PageStatement, 'source' | 'tenant' | 'terms'>,
  ids: string,
  columns: string,
): string {
  return `select ${columns} from ${table} ${joins ?? ''}
    where ${table}.tenant_id = ${tenant} and ${table}.id = any (${ids}) order by ${orderBy(terms)}`;
}

/** Uses the direction of the last sort key for the tie-breakers, so that one index supports both directions. */
function tieBreakers({ tieBreaker }: PageSource, sort: readonly SortTerm[]): readonly SortTerm[] {
  const descending = sort.at(-1)?.descending ?? false;
  const sorted = new Set(sort.map(({ sql }) => sql));
  return [tieBreaker]
    .flat()
    .filter(({ sql }) => !sorted.has(sql))
    .map((term) => ({ ...term, descending }));
}
