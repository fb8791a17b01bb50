import type { Section } from '../../db/paging/page-statement.ts';
import type { SortTerm } from '../../jsonapi/sort.ts';
import { countFromTotals } from './counted-levels.ts';
import { FINDING_SORTS } from './finding-sorts.ts';
import { type MatchingFindings, matchingStatement } from './matching-findings.ts';
import { isInSample } from './sampled-position.ts';
import { type Bound, between, comparison, tied } from './time-ranges.ts';

/** Number of findings in the sample. */
const SAMPLE = 5000;
/** With fewer findings of the sample at the same time, reading by id is not faster than reading all findings. */
const MIN_TIES = 25;
/** Number of times in the sections. */
const TIMES = 3;

/**
 * Sections for findings that are sorted by a time and by id, if many have the same time, as in a file that gives all
 * records of a scan the same time: they are read by id. The BRIN index shows that there are few findings in between.
 * Returns `undefined` if few findings have the same time.
 */
export async function tiedSections(
  findings: MatchingFindings,
  [term, ...others]: readonly SortTerm[],
  position: string | undefined,
): Promise<readonly Section[] | undefined> {
  if (term === undefined || others[0]?.sql !== FINDING_SORTS.id.sql) return undefined;
  const times = await frequentTimes(findings, term, position);
  if (times.length === 0) return undefined;
  const sections: Section[] = [];
  let from: Bound | undefined = position === undefined ? undefined : { time: position, isIncluded: true };
  for (const time of times) {
    sections.push(
      { ...between(term, from, { time, isIncluded: false }), isScanned: true },
      tied([term, ...others], time),
    );
    from = { time, isIncluded: false };
  }
  sections.push({ ...between(term, from, undefined), isScanned: true });
  return sections;
}

/** The first times from the position on that many matching findings of a sample have. */
async function frequentTimes(
  findings: MatchingFindings,
  { sql, descending }: SortTerm,
  position: string | undefined,
): Promise<readonly string[]> {
  const all = await countFromTotals({ ...findings, conditions: [] });
  if (all === undefined || all < 2 * SAMPLE) return [];
  const { parameters, bind, where } = matchingStatement(findings);
  const from =
    position === undefined ? 'true' : `${sql} ${comparison(descending, true)} ${bind(position)}::timestamptz`;
  const { rows } = await findings.client.query<{ time: string }>(
    `select ${sql}::text as time from findings where ${where()} and ${isInSample(SAMPLE / all, bind)} and ${from}
     group by ${sql} having count(*) >= ${MIN_TIES} order by ${sql} ${descending ? 'desc' : ''} limit ${TIMES}`,
    parameters,
  );
  return rows.map(({ time }) => time);
}
