import { z } from 'zod';
import type { Queryable } from '../../db/transaction.ts';
import { utcTimestamp } from '../../db/utc-timestamp.ts';
import type { ResourceType } from '../../http/endpoints/resource-type.ts';
import { selectFields } from '../../jsonapi/query.ts';
import { timestamp, withAttributes } from '../../jsonapi/schemas.ts';
import { countedFindings, FAILING } from '../../resources/finding-totals.ts';
import {
  findingCounts,
  type ProviderRow,
  providerResource,
  providerResourceType,
  providers,
} from '../../resources/providers.ts';

const product = z.strictObject({
  name: z.string().meta({ description: 'Name of the product, from `metadata.product.name`.' }),
  version: z.string().nullable().meta({
    description:
      'Version in the latest record of the product, from `metadata.product.version`. `null` if it has none, or if an earlier release of the service processed it.',
  }),
  last_seen_at: timestamp.nullable().meta({
    description:
      'Time of the latest record of the product. `null` if an earlier release of the service processed it.',
  }),
  findings: findingCounts.meta({ description: 'Finding counts for this product.' }),
});

/** A product that has reported findings of a provider. */
export type ProviderProduct = z.infer<typeof product>;

/** A provider with its products, as returned by the endpoints for a single provider. */
export const providerWithProducts = withAttributes(
  providers,
  'ProviderWithProducts',
  'A provider and the products that reported its findings.',
  {
    products: z.array(product).meta({
      description:
        'Products that have reported findings of this provider, sorted by name. Findings without a product are not counted here.',
    }),
  },
);

export interface ProviderWithProducts extends ProviderRow {
  /** Absent if the request does not select them. */
  readonly products?: readonly ProviderProduct[];
}

/** Live providers with their products. */
export const providerWithProductsType: ResourceType<ProviderWithProducts> = {
  ...providerResourceType,
  resource: providerWithProducts,
  findByIds: async (client, tenantId, ids, fields, textLength) => {
    const rows = await providerResourceType.findByIds(client, tenantId, ids, fields, textLength);
    if (fields !== undefined && !fields.has('products')) return rows;
    const found: ProviderWithProducts[] = [];
    for (const row of rows) found.push({ ...row, products: await findProducts(client, tenantId, row.id) });
    return found;
  },
  toResource: ({ products, ...row }, publicUrl, fields) => {
    const resource = providerResource(row, publicUrl, fields);
    const attributes = { ...resource.attributes, ...selectFields(products ? { products } : {}, fields) };
    return { ...resource, attributes };
  },
};

interface StoredProduct {
  readonly name: string;
  readonly version: string | null;
  readonly last_seen_at: string | null;
}

/** Returns the products of a provider by name, including those that only findings of earlier releases have. */
export async function findProducts(
  client: Queryable,
  tenantId: string,
  providerId: string,
): Promise<readonly ProviderProduct[]> {
  const counts = await countFindingsByProduct(client, tenantId, providerId);
  const { rows } = await client.query<StoredProduct>(
    `select product as name, version, ${utcTimestamp('last_seen_at')} as last_seen_at
     from provider_products where tenant_id = $1 and provider_id = $2`,
    [tenantId, providerId],
  );
  const known = new Set(rows.map(({ name }) => name));
  const earlier = [...counts.keys()].filter((name) => !known.has(name));
  return [...rows, ...earlier.map((name) => ({ name, version: null, last_seen_at: null }))]
    .map((stored) => ({ ...stored, findings: counts.get(stored.name) ?? { total: 0, failing: 0 } }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** Counts the open findings of a provider from the totals. Findings without keys have no product. */
async function countFindingsByProduct(
  client: Queryable,
  tenantId: string,
  providerId: string,
): Promise<ReadonlyMap<string, ProviderProduct['findings']>> {
  const sql = () => 'findings.provider_id = $2::uuid';
  const counted = countedFindings(
    [{ sql, countsSql: sql, dimensions: ['provider'] }],
    ['facet'],
    () => '',
    '$1',
  );
  if (counted === undefined) throw new Error('the totals do not have providers and facets');
  const facets = await client.query<{ key: string; total: number; failing: number }>(
    `select facet_key::text as key, sum(count)::float8 as total,
       coalesce(sum(count) filter (where ${FAILING}), 0)::float8 as failing
     from ${counted} group by facet_key having sum(count) > 0`,
    [tenantId, providerId],
  );
  const named = await client.query<{ key: string; product: string }>(
    `select key::text as key, product from finding_facets
     where tenant_id = $1 and key = any($2::bigint[]) and product is not null`,
    [tenantId, facets.rows.map(({ key }) => key)],
  );
  const products = new Map(named.rows.map(({ key, product }) => [key, product]));
  const counts = new Map<string, ProviderProduct['findings']>();
  for (const { key, total, failing } of facets.rows) {
    const name = products.get(key);
    if (name === undefined) continue;
    const before = counts.get(name);
    counts.set(name, {
      total: total + (before?.total ?? 0),
      failing: failing + (before?.failing ?? 0),
    });
  }
  return counts;
}
