import type { Queryable } from '../../db/transaction.ts';
import type { ClaimedFrame } from '../worker/claim.ts';
import type { FacetReference } from './ensure-facets.ts';
import { MERGED_COLUMNS, PREVIOUS_COUNT_CODE, withChanges } from './finding-totals.ts';

/** A finding whose newest record is in the frame, and the facet of that record. */
export interface FindingFacet {
  readonly id: string;
  readonly recordIndex: number;
  readonly facet: FacetReference;
}

/**
 * Locks the findings in the order of their ids, as merges do. A newer record may have been merged in the meantime. The
 * arrays are in subqueries so that PostgreSQL looks up each row (see `UPDATE` in create-resources.ts).
 */
const CHANGE_FACETS = withChanges(
  `
  update findings f set facet_key = l.facet_key, replaced_code = ${PREVIOUS_COUNT_CODE}, replaced_facet = f.facet_key, replaced = null
  from (
    select w.id, w.facet_key
    from (select * from unnest((select $4::uuid[]), (select $5::bigint[]), (select $6::bigint[])) as u (id, record_index, facet_key)
      order by id) as w
    cross join lateral (
      select id from findings
      where tenant_id = $1 and id = w.id and ingestion_id = $2 and frame = $3 and record_index = w.record_index
        and facet_key <> w.facet_key
      offset 0 for no key update
    ) as locked offset 0
  ) as l
  where f.tenant_id = $1 and f.id = l.id
  returning ${MERGED_COLUMNS}`,
  { select: 'count(*)' },
  false,
);

/** Gives the findings the facets of their records, and counts the changes. */
export async function changeFacets(
  client: Queryable,
  { tenantId, ingestionId, number }: ClaimedFrame,
  findings: readonly FindingFacet[],
): Promise<void> {
  if (findings.length === 0) return;
  await client.query(CHANGE_FACETS, [
    tenantId,
    ingestionId,
    number,
    findings.map(({ id }) => id),
    findings.map(({ recordIndex }) => recordIndex),
    findings.map(({ facet }) => facet.key),
  ]);
}
