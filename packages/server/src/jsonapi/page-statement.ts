import type { Condition } from './filters.ts';
import type { Query } from './query.ts';
import { orderBy, type SortTerm } from './sort.ts';

/** What a list is read from. */
export interface PageSource {
  readonly columns: string;
  /** What stands behind `from`: a table, or a join. Its tenant is `tenantColumn`. */
  readonly table: string;
  readonly tenantColumn?: string;
  /**
   * Joined to the rows of the page only. `table` is then one table with an `id`, and of the rows before the page only the id
   * is read, from an index where one has the order.
   */
  readonly joins?: string;
  /** Makes the order total, so that no row stands on two pages. */
  readonly tieBreaker: SortTerm | readonly SortTerm[];
  /** Beside the tenant and the filters. */
  readonly conditions?: readonly Condition[];
  /**
   * The sections that the rows under all conditions are in, in the order of these terms, where they are known without
   * looking at the rows; that of the place `after` (one value for each term, or none) is among them in any case.
   */
  readonly sections?: (
    terms: readonly SortTerm[],
    after: readonly string[],
  ) => Promise<readonly Section[] | undefined>;
}

/** Rows that stand together in the order, because they have the same values of the first sort keys. */
export interface Section {
  /** Of as many sort keys as there are values, as texts; none: all rows are one section. */
  readonly values: readonly string[];
  readonly count: number;
}

/** The parts that the statements for one page share, and the values of their parameters so far. */
export interface PageStatement {
  readonly source: PageSource;
  readonly values: unknown[];
  readonly bind: (value: unknown) => string;
  readonly tenant: string;
  readonly where: readonly string[];
  readonly terms: readonly SortTerm[];
}

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

/** The part of the statement that reads one section: what its rows have in common is no part of their order. */
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

/** The statement for rows under the conditions, in the order of the terms. */
export function selectRows(
  { source, tenant, where, terms }: PageStatement,
  limit: string,
  columns = source.columns,
): string {
  const { table, joins } = source;
  const ordered = `from ${table} where ${where.join(' and ')} order by ${orderBy(terms)} ${limit}`;
  if (joins === undefined) return `select ${columns} ${ordered}`;
  // Not a join: without statistics of newly ingested rows PostgreSQL would read all rows of the tenant for each row of the page.
  return `select ${columns} from ${table} ${joins}
    where ${table}.tenant_id = ${tenant} and ${table}.id = any (array(select ${table}.id ${ordered})) order by ${orderBy(terms)}`;
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
