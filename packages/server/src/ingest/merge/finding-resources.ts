import type { Queryable } from '../../db/transaction.ts';
import type { ClaimedFrame } from '../worker/claim.ts';
import type { ResourceReference } from './ensure-resources.ts';
import type { FrameRows } from './frame-rows.ts';

/** A finding and a further resource that its record names. */
export interface ResourceLink {
  readonly findingId: string;
  readonly recordIndex: number;
  readonly resourceKey: number;
}

/** The links of a record to its further resources, each once. All resources must have their keys. */
export function linksOf(
  findingId: string,
  recordIndex: number,
  first: ResourceReference | null,
  others: readonly ResourceReference[],
): readonly ResourceLink[] {
  const keys = new Set(others.map(({ key }) => key));
  keys.delete(first?.key ?? 0);
  return Array.from(keys, (resourceKey) => ({ findingId, recordIndex, resourceKey }));
}

/** SQL condition: the finding `f` has the state of this frame's record. */
const IS_OF_FRAME = 'f.ingestion_id = $2 and f.frame = $3';

/**
 * Replaces the links to further resources of the findings whose newest record is in this frame. Most tenants have no
 * such links, so this is usually a single lookup.
 */
export async function replaceLinks(
  client: Queryable,
  { tenantId, ingestionId, number }: ClaimedFrame,
  merged: Pick<FrameRows, 'hexIds' | 'links'>,
): Promise<void> {
  const { rows } = await client.query<{ hasLinks: boolean }>(
    'select exists(select from finding_resources where tenant_id = $1) as "hasLinks"',
    [tenantId],
  );
  if (rows[0]?.hasLinks === true)
    await client.query(
      `delete from finding_resources l using findings f
       where l.tenant_id = $1 and l.finding_id = any(array(select unnest($4::uuid[])))
         and f.tenant_id = $1 and f.id = l.finding_id and ${IS_OF_FRAME}`,
      [tenantId, ingestionId, number, merged.hexIds],
    );
  await insertLinks(client, { tenantId, ingestionId, number }, merged.links());
}

/**
 * Adds links to findings whose newest record is in this frame, and is the record of the link. Locks the findings in the
 * order of their ids, as merges do: the links of a newer record must not be added or removed at the same time.
 */
export async function insertLinks(
  client: Queryable,
  { tenantId, ingestionId, number }: ClaimedFrame,
  links: readonly ResourceLink[],
): Promise<void> {
  if (links.length === 0) return;
  await client.query(
    `insert into finding_resources (tenant_id, finding_id, resource_key)
     select f.tenant_id, f.id, w.resource_key
     from (
       select f.tenant_id, f.id, f.record_index from findings f
       where f.tenant_id = $1 and f.id = any(array(select unnest($4::uuid[]))) and ${IS_OF_FRAME}
       order by f.id offset 0 for no key update
     ) as f
     join unnest($4::uuid[], $5::bigint[], $6::bigint[]) as w (finding_id, record_index, resource_key)
       on w.finding_id = f.id and w.record_index = f.record_index
     on conflict do nothing`,
    [
      tenantId,
      ingestionId,
      number,
      links.map(({ findingId }) => findingId),
      links.map(({ recordIndex }) => recordIndex),
      links.map(({ resourceKey }) => resourceKey),
    ],
  );
}
