import { type PageRange, type PageStart, rowsBefore, type Sections } from '../../db/paging/page-statement.ts';
import type { SortTerm } from '../../jsonapi/sort.ts';
import { countFromTotals, levelsOf } from './counted-levels.ts';
import { countedSections } from './counted-sections.ts';
import { idSections, isSortedById, MIN_COUNTED_SKIP } from './id-sections.ts';
import { countedTimeSections, indexedTimeSections, isSortedByIndexedTime } from './indexed-time-sections.ts';
import type { MatchingFindings } from './matching-findings.ts';
import { countedResourceSections, isSortedByResource, resourceSections } from './resource-sections.ts';
import { positionOfId, sampledPosition } from './sampled-position.ts';
import { isSortedByLastSeen, lastSeenSections, minuteSections } from './time-sections.ts';

/**
 * The sections with the findings of a page, for every sort order. No index has the order of a page, except those on
 * the id and on two times. Returns `undefined` if the page is best read without sections.
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
  if (isSortedByIndexedTime(terms)) return await sectionsOfIndexedTime(findings, terms, range);
  const [fromStart, inMiddle] = isSortedByLastSeen(terms)
    ? [lastSeenSections, minuteSections]
    : isSortedByResource(terms)
      ? [resourceSections, countedResourceSections]
      : [];
  if (fromStart === undefined || inMiddle === undefined) return await countedSections(findings, terms, range);
  if ('after' in range) return await fromStart(findings, terms, range);
  if (range.skip > 0) return await inMiddle(findings, terms, range);
  const count = await countFromTotals(findings);
  // Counting reads all matching findings anyway.
  if (count === undefined && isSortedByLastSeen(terms)) return await inMiddle(findings, terms, range);
  const sections = await fromStart(findings, terms, { after: [], take: range.take });
  return count === undefined ? sections : { ...sections, count };
}

async function sectionsOfIndexedTime(
  findings: MatchingFindings,
  terms: readonly SortTerm[],
  range: PageRange,
): Promise<Sections | undefined> {
  const matching = await countFromTotals(findings);
  const all =
    findings.conditions.length === 0 ? matching : await countFromTotals({ ...findings, conditions: [] });
  const counts = matching === undefined || all === undefined ? undefined : { matching, all };
  if ('after' in range) return await indexedTimeSections(findings, terms, range, counts);
  // Counting reads all matching findings anyway.
  if (counts === undefined) return await minuteSections(findings, terms, range);
  const { take, skip } = range;
  if (skip === 0)
    return {
      ...(await indexedTimeSections(findings, terms, { after: [], take }, counts)),
      count: counts.matching,
    };
  return findings.conditions.length === 0
    ? await countedTimeSections(findings, terms, range, counts.matching)
    : await minuteSections(findings, terms, range);
}

/**
 * Where the page starts that follows this fraction of the list: exactly if the totals count the findings by the sort
 * order, otherwise estimated. Returns `undefined` if only a few findings match, which are counted.
 */
export async function findingPosition(
  findings: MatchingFindings,
  terms: readonly SortTerm[],
  fraction: number,
  size: number,
): Promise<PageStart | undefined> {
  if (fraction === 0) return { after: [] };
  const count = await countFromTotals(findings);
  const skip = count === undefined ? undefined : rowsBefore(count, fraction, size);
  if (skip !== undefined && levelsOf(terms).length > 0) return { skip };
  if (isSortedById(terms)) {
    const id = skip === undefined || count === undefined ? undefined : positionOfId(terms, skip, count);
    return id && { after: id };
  }
  const all = await countFromTotals({ ...findings, conditions: [] });
  const after = all === undefined ? undefined : await sampledPosition(findings, terms, fraction, all);
  return after && { after };
}
