import { orderBy, type SortTerm } from '../../jsonapi/sort.ts';
import type { MatchingFindings } from './counted-levels.ts';
import { idAt } from './id-sections.ts';

/** Approximate sizes of the samples. The second one is for filters that only a few findings match. */
const SAMPLES = [5000, 100_000];
/** A sample with fewer matching findings is too inaccurate. */
const MIN_MATCHES = 500;

/**
 * Estimates the position in the sort order (one value per term) that follows this fraction of the matching findings.
 * Ids are hash values, so that the findings in a range of ids are a random sample. `all` is the number of the tenant's
 * findings. Returns `undefined` if too few findings match.
 */
export async function sampledPosition(
  findings: MatchingFindings,
  terms: readonly SortTerm[],
  part: number,
  all: number,
): Promise<readonly string[] | undefined> {
  for (const size of SAMPLES) {
    if (size >= all) return undefined;
    const found = await positionInSample(findings, terms, part, size / all);
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
 * SQL condition for this part of the findings. They are from the middle, because findings that are otherwise equal are
 * sorted by id. PostgreSQL expects few rows between two bounds, even without statistics.
 */
export function isInSample(part: number, bind: (value: unknown) => string): string {
  return `findings.id >= ${bind(idAt(0.5 - part / 2))}::uuid and findings.id < ${bind(idAt(0.5 + part / 2))}::uuid`;
}

async function positionInSample(
  { client, tenantId, conditions }: MatchingFindings,
  terms: readonly SortTerm[],
  part: number,
  sampled: number,
): Promise<readonly string[] | undefined> {
  const parameters: unknown[] = [];
  const bind = (value: unknown): string => `$${parameters.push(value)}`;
  const tenant = bind(tenantId);
  const where = [
    `findings.tenant_id = ${tenant}`,
    isInSample(sampled, bind),
    ...conditions.map(({ sql }) => sql(bind, tenant)),
  ];
  const values = terms.map(({ sql }) => `(${sql})::text`).join(', ');
  const { rows } = await client.query<{ position: readonly string[] }>(
    `select position from (
       select array[${values}] as position, row_number() over (order by ${orderBy(terms)}) as place, count(*) over () as matches
       from findings where ${where.join(' and ')}) as sample
     where matches >= ${MIN_MATCHES} and place = greatest(1, ceil(${bind(part)}::float8 * (matches - 1)))`,
    parameters,
  );
  return rows[0]?.position;
}
