import type { DetectionFinding } from '@sluice/ocsf';
import type { Queryable } from '../../db/transaction.ts';
import { compareTexts } from '../../lib/compare-texts.ts';
import { derivedId } from '../../lib/derived-id.ts';
import { PairMap } from '../../lib/pair-map.ts';

/** A product in the records of a provider. */
interface ReportedProduct {
  readonly providerId: string;
  readonly product: string;
  /** From the newest record. If several have the same time, the last in the order of versions. */
  version: string | null;
  /** Time of the newest record, in milliseconds since 1970. */
  time: number;
}

/** Collects the products of one frame, by provider. */
export class FrameProducts {
  /** By provider and product. */
  readonly #products = new PairMap<ReportedProduct>();

  /** Adds the product of a record, if it names one. */
  add(providerId: string, { product, productVersion: version, time }: DetectionFinding): void {
    if (product === null) return;
    const known = this.#products.get(providerId, product);
    if (known === undefined) {
      this.#products.set(providerId, product, { providerId, product, version, time });
      return;
    }
    if (time < known.time || (time === known.time && compareTexts(version ?? '', known.version ?? '') <= 0))
      return;
    known.version = version;
    known.time = time;
  }

  /**
   * Stores the version and the time of the newest record of each product, in the open transaction. Call it as late as
   * possible: until the transaction ends, it locks rows that all frames of the same accounts share.
   */
  async store(client: Queryable, tenantId: string): Promise<void> {
    const products = [...this.#products.values()];
    if (products.length === 0) return;
    await client.query(STORE, [
      tenantId,
      products.map(({ providerId }) => providerId),
      products.map(({ product }) => derivedId(product)),
      products.map(({ product }) => product),
      products.map(({ version }) => version),
      products.map(({ time }) => new Date(time).toISOString()),
    ]);
  }
}

/** Records with the same time are ordered by their version, so that the result does not depend on the order of frames. */
const newness = (row: string) => `(${row}.last_seen_at, coalesce(${row}.version, '') collate "C")`;

/**
 * Ordered, so that two transactions never deadlock. Skips rows that do not change: a conflict would lock them. The
 * tenant's id comes from a table for Citus (see `insertSql` in merge-statements.ts).
 */
const STORE = `
  insert into provider_products as p (tenant_id, provider_id, id, product, version, last_seen_at)
  select t.tenant_id, w.provider_id, w.id, w.product, w.version, w.last_seen_at
  from tenants t
  cross join unnest($2::uuid[], $3::uuid[], $4::text[], $5::text[], $6::timestamptz[])
    as w (provider_id, id, product, version, last_seen_at)
  where t.tenant_id = $1 and not exists (
    select from provider_products p
    where p.tenant_id = $1 and p.provider_id = w.provider_id and p.id = w.id and ${newness('p')} >= ${newness('w')})
  order by w.provider_id, w.id
  on conflict (tenant_id, provider_id, id) do update set version = excluded.version, last_seen_at = excluded.last_seen_at
    where ${newness('p')} < ${newness('excluded')}`;
