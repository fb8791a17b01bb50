import type { PageRange, Section, Sections } from '../../db/paging/page-statement.ts';
import type { SortTerm } from '../../jsonapi/sort.ts';
import { countLevel, dimensionOf, type Level, type LevelRow, levelsOf } from './counted-levels.ts';
import { joined, restricted, sectionOf } from './level-sections.ts';
import type { MatchingFindings } from './matching-findings.ts';

/** Sections with more findings than this are divided further by the next sort keys. */
const DIVIDED_ROWS = 2000;
/** Smaller sections are combined up to this number of findings, or of pages, so that a page needs few statements. */
const COMBINED_ROWS = 400;
const COMBINED_PAGES = 4;

/**
 * The sections with the findings of a page, counted by the leading sort keys. Uses the totals if they support the
 * conditions; otherwise, reads all matching findings. Returns `undefined` if no leading key can be counted.
 */
export async function countedSections(
  findings: MatchingFindings,
  terms: readonly SortTerm[],
  range: PageRange,
): Promise<Sections | undefined> {
  const [first, ...deeper] = levelsOf(terms);
  if (first === undefined) return 'skip' in range ? await divide(findings, [[]], range) : undefined;
  const levels = [first, ...deeper];
  const plain = first.filter(({ counted }) => counted.dimension === undefined);
  return (
    (await divide(findings, levels, range)) ??
    // The totals may support the conditions, but not together with the dimension of the first level.
    (plain.length === 0 || plain.length === first.length
      ? undefined
      : await divide(findings, [plain], range)) ??
    (dimensionOf(first) === undefined ? undefined : await divide(findings, levels, range, true))
  );
}

async function divide(
  findings: MatchingFindings,
  [level, ...deeper]: readonly Level[],
  range: PageRange,
  isRead = false,
): Promise<Sections | undefined> {
  if (level === undefined) return undefined;
  const rows = await countLevel(findings, level, range, isRead);
  if (rows === undefined) return undefined;
  const inRange = rows.filter(({ count, start, holds_position }) =>
    'skip' in range
      ? start < range.skip + range.take && start + count > range.skip
      : holds_position || count > 0,
  );
  const sections: Section[] = [];
  let skip = 'skip' in range ? Math.max(0, range.skip - (inRange[0]?.start ?? 0)) : 0;
  for (const run of runsOf(inRange, Math.max(COMBINED_ROWS, range.take * COMBINED_PAGES))) {
    const section = sectionOf(level, run);
    const [row, ...others] = run;
    const divided =
      row !== undefined && others.length === 0 && row.count > DIVIDED_ROWS
        ? await divide(restricted(findings, level, section), deeper, rangeWithin(range, row, level.length))
        : undefined;
    if (divided === undefined) {
      sections.push(section);
      continue;
    }
    if (row === inRange[0]) skip = divided.skip;
    for (const part of divided.sections) sections.push(joined(section, part));
  }
  return { sections, skip, count: rows[0]?.total ?? 0 };
}

/** Combines consecutive rows with few findings. */
function runsOf(rows: readonly LevelRow[], max: number): readonly (readonly LevelRow[])[] {
  const runs: LevelRow[][] = [];
  let size = 0;
  for (const row of rows) {
    const last = runs.at(-1);
    size += row.count;
    if (last !== undefined && size <= max) {
      last.push(row);
      continue;
    }
    runs.push([row]);
    size = row.count;
  }
  return runs;
}

/** The part of a page's range that is in this row. */
function rangeWithin(range: PageRange, { start, holds_position }: LevelRow, keys: number): PageRange {
  if ('skip' in range) {
    const skip = Math.max(0, range.skip - start);
    return { skip, take: range.take - Math.max(0, start - range.skip) };
  }
  return { after: holds_position ? range.after.slice(keys) : [], take: range.take };
}
