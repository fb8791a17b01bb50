import { orderBy, type SortTerm } from '../../jsonapi/sort.ts';
import { idAt } from './id-sections.ts';
import { type MatchingFindings, matchingStatement } from './matching-findings.ts';

/** Approximate sizes of the samples. The second one is for filters that only a few findings match. */
const SAMPLES = [5000, 100_000];
/** A sample with fewer matching findings is too inaccurate. */
const MIN_MATCHES = 500;

/**
 * Estimates the position in the sort order (one value per term) that has this fraction of the matching findings before
 * it. Ids are hash values, so that the findings in a range of ids are a random sample. `all` is the number of the
 * tenant's findings. Returns `undefined` if too few findings match.
 */
export async function sampledPosition(
  findings: MatchingFindings,
  terms: readonly SortTerm[],
  fraction: number,
  all: number,
): Promise<readonly string[] | undefined> {
  for (const size of SAMPLES) {
    if (size >= all) return undefined;
    const found = await positionInSample(findings, terms, fraction, size / all);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Like `sampledPosition`, for findings that are sorted by id. `skip` of `count` matching findings come before it. */
export function positionOfId(
  [first, ...others]: readonly SortTerm[],
  skip: number,
  count: number,
): readonly string[] | undefined {
  if (others.length > 0 || count < MIN_MATCHES) return undefined;
  return [idAt(first?.descending === true ? 1 - skip / count : skip / count)];
}

/**
 * SQL condition for this fraction of the findings. They are from the middle, because findings that are otherwise equal
 * are sorted by id. PostgreSQL expects few rows between two bounds, even without statistics.
 */
export function isInSample(fraction: number, bind: (value: unknown) => string): string {
  return `findings.id >= ${bind(idAt(0.5 - fraction / 2))}::uuid and findings.id < ${bind(idAt(0.5 + fraction / 2))}::uuid`;
}

async function positionInSample(
  findings: MatchingFindings,
  terms: readonly SortTerm[],
  fraction: number,
  sampled: number,
): Promise<readonly string[] | undefined> {
  const { parameters, bind, where } = matchingStatement(findings);
  const values = terms.map(({ sql }) => `(${sql})::text`).join(', ');
  const { rows } = await findings.client.query<{ position: readonly string[] }>(
    `select position from (
       select array[${values}] as position, row_number() over (order by ${orderBy(terms)}) as place, count(*) over () as matches
       from findings where ${where()} and ${isInSample(sampled, bind)}) as sample
     where matches >= ${MIN_MATCHES} and place = greatest(1, ceil(${bind(fraction)}::float8 * (matches - 1)))`,
    parameters,
  );
  return rows[0]?.position;
}
