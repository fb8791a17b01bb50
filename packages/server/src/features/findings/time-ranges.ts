import { opaqueCondition } from '../../db/opaque-condition.ts';
import type { Section } from '../../db/paging/page-statement.ts';
import type { SortTerm } from '../../jsonapi/sort.ts';
import { FINDING_SORTS } from './finding-sorts.ts';

/** An end of a range of times. */
export interface Bound {
  readonly time: string;
  readonly isIncluded: boolean;
}

/** The operator for values that follow another one in the sort order. */
export function comparison(descending: boolean, isIncluded: boolean): string {
  return `${descending ? '<' : '>'}${isIncluded ? '=' : ''}`;
}

/** The findings from one time to another. PostgreSQL expects few of them, and uses an index even without statistics. */
export function between(
  { sql, descending }: SortTerm,
  from: Bound | undefined,
  until: Bound | undefined,
): Section & Required<Pick<Section, 'condition'>> {
  return {
    values: [],
    isSparse: true,
    condition: (bind) =>
      [
        from && `${sql} ${comparison(descending, from.isIncluded)} ${bind(from.time)}::timestamptz`,
        until && `${sql} ${comparison(!descending, until.isIncluded)} ${bind(until.time)}::timestamptz`,
      ]
        .filter((condition) => condition !== undefined)
        .join(' and ') || 'true',
  };
}

/** Many findings with the same time. If they are also sorted by id, they are read in this order. */
export function tied([{ sql }, ...others]: readonly [SortTerm, ...SortTerm[]], time: string): Section {
  return {
    values: [time],
    isScanned: others[0]?.sql !== FINDING_SORTS.id.sql,
    condition: (bind) => opaqueCondition(`${sql} = ${bind(time)}::timestamptz`),
  };
}
