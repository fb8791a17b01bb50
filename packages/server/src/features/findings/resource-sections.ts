import type { PageRange, Section, Sections } from '../../db/paging/page-statement.ts';
import { withForcedIndexScans, withHashJoins } from '../../db/planner-settings.ts';
import { TENANT } from '../../db/tenant-parameter.ts';
import type { SortTerm } from '../../jsonapi/sort.ts';
import { FINDING_SORTS } from './finding-sorts.ts';
import { type MatchingFindings, matchingStatement } from './matching-findings.ts';
import { isPlacedInRange, type PlacedCount, placedInRange } from './placed-counts.ts';

/** Number of resources whose findings are read together. Grows, because filters may exclude most of the findings. */
const CHUNKS = [100, 400, 1500];
const RESOURCES = CHUNKS.reduce((sum, size) => sum + size, 0);

/** Whether the findings are sorted by their resource. The first term separates those without a resource. */
export function isSortedByResource(terms: readonly SortTerm[]): boolean {
  return terms[1]?.sql === FINDING_SORTS.resource.sql;
}

const LAST: Section = { values: ['true'], condition: () => 'findings.resource_key is null' };

/**
 * Divides findings that are sorted by resource into sections by walking through the sorted resources, so that the
 * findings of the first sections are found by their resource. The last sections have all remaining findings.
 */
export async function resourceSections(
  { client, tenantId }: MatchingFindings,
  terms: readonly SortTerm[],
  { after: [isLast, name, key] }: PageRange & { readonly after: readonly string[] },
): Promise<Sections> {
  if (isLast === 'true') return { sections: [LAST], skip: 0 };
  const descending = terms[1]?.descending ?? false;
  const direction = descending ? 'desc' : 'asc';
  const from = `and (sort_name, key) ${descending ? '<=' : '>='} ($2::text, $3::bigint)`;
  const { rows } = await withForcedIndexScans(client, () =>
    client.query<{ key: string }>(
      `select key from resources where tenant_id = $1 ${name === undefined ? '' : from}
       order by sort_name ${direction}, key ${direction} limit ${RESOURCES}`,
      name === undefined ? [tenantId] : [tenantId, name, key],
    ),
  );
  const keys = rows.map((row) => row.key);
  const sections: Section[] = [];
  for (let start = 0; start < keys.length; ) {
    const size = CHUNKS[sections.length] ?? keys.length;
    const chunk = keys.slice(start, start + size);
    sections.push({
      values: ['false'],
      condition: (bind) => `findings.resource_key = any(${bind(chunk)}::bigint[])`,
    });
    start += size;
  }
  const last = keys.at(-1);
  if (keys.length === RESOURCES && last !== undefined)
    sections.push({ values: ['false'], condition: (bind) => followsResource(bind(last), descending) });
  return { sections: [...sections, LAST], skip: 0 };
}

/** The condition for findings of the resources that follow a resource in the sort order. */
function followsResource(key: string, descending: boolean): string {
  const last = `(select resources.sort_name from resources
    where resources.tenant_id = ${TENANT} and resources.key = ${key}::bigint)`;
  return `findings.resource_key is not null
    and (${FINDING_SORTS.resource.sql}, findings.resource_key) ${descending ? '<' : '>'} (${last}, ${key}::bigint)`;
}

/**
 * The sections with the findings of a page in the middle of the list. Counts the findings of each resource, but sorts
 * only those of the section.
 */
export async function countedResourceSections(
  findings: MatchingFindings,
  terms: readonly SortTerm[],
  range: PageRange & { readonly skip: number },
): Promise<Sections> {
  const { parameters, bind, tenant, where } = matchingStatement(findings);
  const direction = terms[1]?.descending === true ? 'desc' : 'asc';
  const text = `select key::text as key, count::float8, start::float8, total::float8 from (
       select key, count, sum(count) over () as total,
         sum(count) over (order by key is null, name ${direction}, key ${direction}) - count as start
       from (select resource_key as key, count(*) as count from findings
           where ${where()} group by resource_key offset 0) as counted
         left join (select key as resource_key, sort_name as name from resources
           where tenant_id = ${tenant} offset 0) as named on resource_key = key
     ) as placed
     where ${isPlacedInRange(range, bind)} order by start`;
  const { rows } = await withHashJoins(findings.client, () =>
    findings.client.query<ResourceCount>(text, parameters),
  );
  const { inRange, ...position } = placedInRange(rows, range);
  const keys = inRange.flatMap(({ key }) => key ?? []);
  const ofResources: Section = {
    values: ['false'],
    count: inRange.reduce((sum, { key, count }) => (key === null ? sum : sum + count), 0),
    condition: (bind) => `findings.resource_key = any(${bind(keys)}::bigint[])`,
  };
  const without = inRange.find(({ key }) => key === null);
  return {
    sections: [
      ...(keys.length > 0 ? [ofResources] : []),
      ...(without === undefined ? [] : [{ ...LAST, count: without.count }]),
    ],
    ...position,
  };
}

/** The number of findings of a resource, or of the findings without one. */
interface ResourceCount extends PlacedCount {
  readonly key: string | null;
}
