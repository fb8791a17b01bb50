import type { PageRange, Sections } from '../../db/paging/page-statement.ts';
import type { SortTerm } from '../../jsonapi/sort.ts';
import { countedFindings } from '../../resources/finding-totals.ts';
import { countedSections, type MatchingFindings } from './counted-sections.ts';
import { countedResourceSections, isSortedByResource, resourceSections } from './resource-sections.ts';
import { isSortedByTime, minuteSections, timeSections } from './time-sections.ts';

/**
 * The sections with the findings of a page, for every sort order. No index has the order of a page, except by id and by
 * severity. Returns `undefined` if the page is best read without sections.
 */
export async function findingSections(
  findings: MatchingFindings,
  terms: readonly SortTerm[],
  range: PageRange,
): Promise<Sections | undefined> {
  const [fromStart, inMiddle] = isSortedByTime(terms)
    ? [timeSections, minuteSections]
    : isSortedByResource(terms)
      ? [resourceSections, countedResourceSections]
      : [];
  if (fromStart === undefined || inMiddle === undefined) return await countedSections(findings, terms, range);
  if ('after' in range) return await fromStart(findings, terms, range);
  if (range.skip > 0) return await inMiddle(findings, terms, range);
  const count = await countFromTotals(findings);
  const sections = await fromStart(findings, terms, { after: [], take: range.take });
  return count === undefined ? sections : { ...sections, count };
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
  const { rows } = await client.query<{ count: number }>(
    `select coalesce(sum(findings.count), 0)::float8 as count from ${counted}`,
    parameters,
  );
  return rows[0]?.count ?? 0;
}
