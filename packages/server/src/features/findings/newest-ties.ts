import type { Section } from '../../db/paging/page-statement.ts';
import type { SortTerm } from '../../jsonapi/sort.ts';
import { countFromTotals } from './counted-levels.ts';
import { FINDING_SORTS } from './finding-sorts.ts';
import { type MatchingFindings, matchingStatement } from './matching-findings.ts';
import { isInSample } from './sampled-position.ts';
import { tied } from './time-ranges.ts';

/** Number of findings in the sample. */
const SAMPLE = 5000;
/** With fewer findings of the sample at the same time, reading by id is not faster than reading all findings. */
const MIN_TIES = 25;

/**
 * The section with the findings that have the newest time, which is read by id. `undefined` unless they are sorted by time
 * and id, many of them have this time, as in a file that gives all records of a scan the same time, and the position, if
 * any, has it too.
 */
export async function newestTies(
  findings: MatchingFindings,
  [term, ...others]: readonly SortTerm[],
  position: string | undefined,
): Promise<{ readonly section: Section; readonly time: string } | undefined> {
  if (term === undefined || others[0]?.sql !== FINDING_SORTS.id.sql) return undefined;
  const all = await countFromTotals({ ...findings, conditions: [] });
  if (all === undefined || all < 2 * SAMPLE) return undefined;
  const { parameters, bind, tenant, where } = matchingStatement(findings);
  // Only databases of earlier releases have providers without a time.
  const { rows } = await findings.client.query<{ time: string }>(
    `select time::text as time from (
       select case when count(*) = count(last_seen_at) then max(last_seen_at) end as time from providers
       where tenant_id = ${tenant} and deleted_at is null) as newest
     where time = coalesce(${bind(position ?? null)}::timestamptz, time)
       and (select count(*) from findings where ${where()} and ${isInSample(SAMPLE / all, bind)} and ${term.sql} = time) >= ${MIN_TIES}`,
    parameters,
  );
  const [newest] = rows;
  return newest && { section: tied([term, ...others], newest.time), time: newest.time };
}
