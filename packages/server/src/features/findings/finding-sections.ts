import { type PageRange, type PageStart, rowsBefore, type Sections } from '../../db/paging/page-statement.ts';
import { withoutIndexScans } from '../../db/planner-settings.ts';
import type { SortTerm } from '../../jsonapi/sort.ts';
import { countedFindings } from '../../resources/finding-totals.ts';
import { levelsOf, type MatchingFindings } from './counted-levels.ts';
import { countedSections } from './counted-sections.ts';
import { idSections, isSortedById, MIN_COUNTED_SKIP } from './id-sections.ts';
import { countedResourceSections, isSortedByResource, resourceSections } from './resource-sections.ts';
import { positionOfId, sampledPosition } from './sampled-position.ts';
import { isSortedByTime, minuteSections, timeSections } from './time-sections.ts';

/**
 * The sections with the findings of a page, for every sort order. No index has the order of a page, except the primary
 * key. Returns `undefined` if the page is best read without sections.
 */
export async function findingSections(
  findings: MatchingFindings,
  terms: readonly SortTerm[],
  range: PageRange,
): Promise<Sections | undefined> {
  if (isSortedById(terms) && 'skip' in range && range.skip >= MIN_COUNTED_SKIP) {
    const count = await countFromTotals(findings);
    const sections = count === undefined ? undefined : await idSections(findings, terms, range, count);
    if (sections !== undefined) return sections;
  }
  const [fromStart, inMiddle] = isSortedByTime(terms)
    ? [timeSections, minuteSections]
    : isSortedByResource(terms)
      ? [resourceSections, countedResourceSections]
      : [];
  if (fromStart === undefined || inMiddle === undefined) return await countedSections(findings, terms, range);
  if ('after' in range) return await fromStart(findings, terms, range);
  if (range.skip > 0) return await inMiddle(findings, terms, range);
  const count = await countFromTotals(findings);
  // Counting reads all matching findings anyway.
  if (count === undefined && isSortedByTime(terms)) return await inMiddle(findings, terms, range);
  const sections = await fromStart(findings, terms, { after: [], take: range.take });
  return count === undefined ? sections : { ...sections, count };
}

/**
 * Where a page begins that has this part of the list before it: exactly if the totals count the findings by the sort order,
 * otherwise estimated. Returns `undefined` if only a few findings match, which are counted.
 */
export async function findingPosition(
  findings: MatchingFindings,
  terms: readonly SortTerm[],
  part: number,
  size: number,
): Promise<PageStart | undefined> {
  if (part === 0) return { after: [] };
  const count = await countFromTotals(findings);
  const skip = count === undefined ? undefined : rowsBefore(count, part, size);
  if (skip !== undefined && levelsOf(terms).length > 0) return { skip };
  if (isSortedById(terms)) {
    const id = skip === undefined || count === undefined ? undefined : positionOfId(terms, skip, count);
    return id && { after: id };
  }
  const all = await countFromTotals({ ...findings, conditions: [] });
  const after = all === undefined ? undefined : await sampledPosition(findings, terms, part, all);
  return after && { after };
}

/** The number of matching findings; `undefined` if the totals do not support the conditions. */
async function countFromTotals({
  client,
  tenantId,
  conditions,
}: MatchingFindings): Promise<number | undefined> {
  const parameters: unknown[] = [];
  const bind = (value: unknown): string => `$${parameters.push(value)}`;
  const counted = countedFindings(conditions, [], bind, bind(tenantId));
  if (counted === undefined) return undefined;
  const text = `select coalesce(sum(findings.count), 0)::float8 as count from ${counted}`;
  const { rows } = await withoutIndexScans(client, () => client.query<{ count: number }>(text, parameters));
  return rows[0]?.count ?? 0;
}
