import type { PageRange, Sections } from '../../db/paging/page-statement.ts';
import type { SortTerm } from '../../jsonapi/sort.ts';
import { FINDING_SORTS } from './finding-sorts.ts';
import { type MatchingFindings, matchingStatement } from './matching-findings.ts';

/** Whether the first sort key is the id. */
export function isSortedById([first]: readonly SortTerm[]): boolean {
  return first?.sql === FINDING_SORTS.id.sql;
}

const BITS = 48;

/** The id that approximately this fraction of all ids precedes: ids are hash values. */
export function idAt(fraction: number): string {
  const digits = Math.min(2 ** BITS - 1, Math.floor(Math.max(0, fraction) * 2 ** BITS))
    .toString(16)
    .padStart(BITS / 4, '0')
    .padEnd(32, '0');
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

/** Skipping fewer findings is faster than counting them. */
export const MIN_COUNTED_SKIP = 5000;
/** Margin in standard deviations, so that the section almost never begins after the page. */
const DEVIATIONS = 5;

/**
 * The section with the findings of a page in the middle of the list, if `count` findings match. It begins shortly
 * before the page. Returns `undefined` if the page is better read without sections.
 */
export async function idSections(
  findings: MatchingFindings,
  terms: readonly SortTerm[],
  { skip }: PageRange & { readonly skip: number },
  count: number,
): Promise<Sections | undefined> {
  const [term] = terms;
  if (term === undefined || skip >= count) return undefined;
  const fraction = (skip - (DEVIATIONS * Math.sqrt(count)) / 2) / count;
  const start = idAt(term.descending ? 1 - fraction : fraction);
  const [isBefore, isBehind] = term.descending ? ['>', '<='] : ['<', '>='];
  const { parameters, bind, where } = matchingStatement(findings);
  const { rows } = await findings.client.query<{ before: number }>(
    `select count(*)::float8 as before from findings where ${where()} and ${term.sql} ${isBefore} ${bind(start)}::uuid`,
    parameters,
  );
  const before = rows[0]?.before ?? 0;
  if (before > skip) return undefined;
  const condition = (bind: (value: unknown) => string) => `${term.sql} ${isBehind} ${bind(start)}::uuid`;
  return { sections: [{ values: [], count: count - before, condition }], skip: skip - before, count };
}
