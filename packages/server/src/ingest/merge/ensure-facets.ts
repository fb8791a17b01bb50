import { isDistributed } from '../../db/distribution.ts';
import { inTransaction, type Queryable } from '../../db/transaction.ts';
import { BoundedMap } from '../../lib/bounded-map.ts';
import { nextKeys } from './next-keys.ts';

/** A distinct combination of attributes by which findings are counted and filtered. */
export interface FacetReference {
  /** Derived from the attributes. */
  readonly id: string;
  /** `finding_facets.key`; 0 until it is known. */
  key: number;
  readonly service: string | null;
  readonly region: string | null;
  readonly resourceType: string | null;
  readonly product: string | null;
}

/** Returns the keys of facets, and creates missing facets in a separate short transaction. Facets never change. */
export class FacetStore {
  readonly #keys = new BoundedMap<string, number>(20_000);

  async ensure(client: Queryable, tenantId: string, facets: Iterable<FacetReference>): Promise<void> {
    const unknown: FacetReference[] = [];
    for (const facet of facets) {
      facet.key = this.#keys.get(`${tenantId}${facet.id}`) ?? 0;
      if (facet.key === 0) unknown.push(facet);
    }
    if (unknown.length === 0) return;
    const keys = await inTransaction(client, tenantId, () => ensureFacets(client, tenantId, unknown));
    for (const facet of unknown) {
      const key = keys.get(facet.id);
      if (key === undefined) throw new Error(`the facet ${facet.id} was not created`);
      facet.key = key;
      this.#keys.set(`${tenantId}${facet.id}`, key);
    }
  }
}

async function ensureFacets(
  client: Queryable,
  tenantId: string,
  facets: readonly FacetReference[],
): Promise<ReadonlyMap<string, number>> {
  const found = await findKeys(client, tenantId, facets);
  const missing = facets.filter(({ id }) => !found.has(id));
  if (missing.length === 0) return found;
  // The database generates the keys unless it is distributed.
  const keys = isDistributed(client) ? await nextKeys(client, 'finding_facets', missing.length) : undefined;
  const key = keys === undefined ? '' : 'key,';
  // Ordered, so that two transactions never deadlock.
  await client.query(
    `insert into finding_facets (tenant_id, ${key} id, service, region, resource_type, product)
     select t.tenant_id, ${key} w.id, w.service, w.region, w.type, w.product
     from tenants t cross join unnest($2::bigint[], $3::uuid[], $4::text[], $5::text[], $6::text[], $7::text[])
       as w (key, id, service, region, type, product)
     where t.tenant_id = $1 order by w.id on conflict do nothing`,
    [
      tenantId,
      keys ?? [],
      missing.map(({ id }) => id),
      missing.map(({ service }) => service),
      missing.map(({ region }) => region),
      missing.map(({ resourceType }) => resourceType),
      missing.map(({ product }) => product),
    ],
  );
  return new Map([...found, ...(await findKeys(client, tenantId, missing))]);
}

async function findKeys(
  client: Queryable,
  tenantId: string,
  facets: readonly FacetReference[],
): Promise<Map<string, number>> {
  const { rows } = await client.query<{ id: string; key: number }>(
    'select id, key::float8 from finding_facets where tenant_id = $1 and id = any($2::uuid[])',
    [tenantId, facets.map(({ id }) => id)],
  );
  return new Map(rows.map(({ id, key }) => [id, key]));
}
