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
   * What is joined to the rows of the page and to no others, given the tenant's parameter. `table` is one table with
   * an `id` then; only that is read of the rows before the page, out of an index where one has the order.
   */
  readonly joins?: (tenant: string) => string;
  /** Makes the order total, so that no row stands on two pages. */
  readonly tieBreaker: SortTerm | readonly SortTerm[];
  /** Beside the tenant and the filters. */
  readonly conditions?: readonly Condition[];
  /** The rows under all these conditions, in their order; `undefined`: they are to be counted. */
  readonly sections?: readonly Section[] | undefined;
  /** Where no more rows than this are under the conditions, they are gathered first and sorted then. `table` is one table. */
  readonly gatheredRows?: number;
}

/** Rows that stand together in the order because they have one value of the first sort key; or all rows. */
export interface Section {
  readonly count: number;
  /** What they have in common. */
  readonly condition?: Condition;
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

/** The statement for rows under the conditions, in the order of the terms. */
export function selectRows(
  { source, tenant, where, terms }: Omit<PageStatement, 'values' | 'bind'>,
  limit: string,
  { columns = source.columns, gather = false }: { readonly columns?: string; readonly gather?: boolean } = {},
): string {
  const { table, joins } = source;
  const filtered = `${table} where ${where.join(' and ')}`;
  // `offset 0` keeps PostgreSQL from walking through an index that has the order until it has met enough rows.
  const rows = gather ? `(select * from ${filtered} offset 0) as ${table}` : filtered;
  const ordered = `from ${rows} order by ${orderBy(terms)} ${limit}`;
  if (joins === undefined) return `select ${columns} ${ordered}`;
  return `select ${columns} from (select ${table}.id ${ordered}) as page
    join ${table} on ${table}.tenant_id = ${tenant} and ${table}.id = page.id ${joins(tenant)} order by ${orderBy(terms)}`;
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
