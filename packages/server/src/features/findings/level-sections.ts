import { hasKeyIn, opaqueCondition } from '../../db/opaque-condition.ts';
import type { Section } from '../../db/paging/page-statement.ts';
import { dimensionOf, type Level, type LevelRow } from './counted-levels.ts';
import type { MatchingFindings } from './matching-findings.ts';

type Bind = (value: unknown) => string;

/** The findings of consecutive rows of a level as one section. */
export function sectionOf(level: Level, rows: readonly LevelRow[]): Section {
  const [first, ...others] = rows;
  return {
    values: first !== undefined && others.length === 0 ? first.values : [],
    count: rows.reduce((sum, { count }) => sum + count, 0),
    condition: (bind) => conditionOf(level, rows, bind),
    // Otherwise, PostgreSQL might read all findings in the order of their ids until it has found enough of them.
    ...(dimensionOf(level) !== undefined && { isSparse: true }),
  };
}

/** The findings of a section that are also in one of its parts. */
export function joined(section: Section, part: Section): Section {
  return {
    ...part,
    values: [...section.values, ...part.values],
    condition: (bind) => `${part.condition?.(bind) ?? 'true'} and ${section.condition?.(bind) ?? 'true'}`,
  };
}

/** The matching findings that are in this section of a level. */
export function restricted(
  findings: MatchingFindings,
  level: Level,
  { condition }: Section,
): MatchingFindings {
  if (condition === undefined) return findings;
  const dimension = dimensionOf(level);
  return {
    ...findings,
    conditions: [
      ...findings.conditions,
      { sql: condition, countsSql: condition, dimensions: dimension === undefined ? [] : [dimension] },
    ],
  };
}

function conditionOf(level: Level, rows: readonly LevelRow[], bind: Bind): string {
  if (level.length === 0) return 'true';
  const tuples = rows.flatMap((row) => columnsOf(level, row));
  const columns = level.map(({ counted: { column, type } }, at) => ({
    name: `findings.${column}`,
    type,
    values: tuples.map((tuple) => tuple[at] ?? ''),
  }));
  const keys = dimensionOf(level) === undefined ? undefined : columns.at(-1);
  const plain = keys === undefined ? columns : columns.slice(0, -1);
  const isAmong = keys && `${keys.name} = any(${bind([...new Set(keys.values)])}::${keys.type}[])`;
  if (plain.length === 0) return isAmong ?? 'true';
  if (plain.every(({ values }) => new Set(values).size === 1)) {
    const isEqual = plain
      .map(({ name, type, values }) => `${name} = ${bind(values[0])}::${type}`)
      .join(' and ');
    return isAmong === undefined ? opaqueCondition(isEqual) : `${isAmong} and ${opaqueCondition(isEqual)}`;
  }
  const arrays = columns.map(({ type, values }) => `${bind(values)}::${type}[]`).join(', ');
  const isOne = hasKeyIn(
    `(${columns.map(({ name }) => name).join(', ')})`,
    `select * from unnest(${arrays}) as sections`,
  );
  return isAmong === undefined ? isOne : `${isAmong} and ${isOne}`;
}

/** The values of the level's columns for a row; several if the row has several keys. */
function columnsOf(level: Level, { values, keys }: LevelRow): readonly (readonly string[])[] {
  if (keys === null) return [values];
  const looked = level.findIndex(({ counted }) => counted.lookup !== undefined);
  return keys.map((key) => values.map((value, at) => (at === looked ? key : value)));
}
