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
   * The sections of the matching rows in sort order; `undefined` if they cannot be determined without reading the rows.
   * The section that contains the position `after` (one value per term, or none) is always included, even if it is
   * empty.
   */
  readonly sections?: (
    terms: readonly SortTerm[],
    after: readonly string[],
  ) => Promise<readonly Section[] | undefined>;
}

/** Consecutive rows in the sort order that have the same values for the first sort keys. */
export interface Section {
  /** Values of the first sort keys, as text. Empty if all rows form one section. */
  readonly values: readonly string[];
  readonly count: number;
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
 * Restricts the statement to one section. For the sort keys whose values are the same for all rows of the section, adds
 * conditions instead of sort terms.
 */
export function restrictToSection(
  statement: PageStatement,
  { values }: Pick<Section, 'values'>,
): PageStatement {
  const parameters = [...statement.values];
  const bind = (value: unknown): string => `$${parameters.push(value)}`;
  const common = values.flatMap((value, at) => {
    const term = statement.terms[at];
    return term === undefined ? [] : [`${term.sql} = ${bind(value)}::${term.type}`];
  });
  return {
    ...statement,
    values: parameters,
    bind,
    where: [...statement.where, ...common],
    terms: statement.terms.slice(values.length),
  };
}

/** The statement that selects the matching rows in sort order. */
export function selectRows(
  { source, tenant, where, terms }: PageStatement,
  limit: string,
  columns = source.columns,
): string {
  const { table, joins } = source;
  const ordered = `from ${table} where ${where.join(' and ')} order by ${orderBy(terms)} ${limit}`;
  if (joins === undefined) return `select ${columns} ${ordered}`;
  // A join would be slow: without statistics for newly ingested rows, PostgreSQL would read all of the tenant's rows
  // for each row of the page.
  return `select ${columns} from ${table} ${joins}
    where ${table}.tenant_id = ${tenant} and ${table}.id = any (array(select ${table}.id ${ordered})) order by ${orderBy(terms)}`;
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
