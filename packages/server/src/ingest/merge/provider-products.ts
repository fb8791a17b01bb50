import type { DetectionFinding } from '@sluice/ocsf';
import type { Queryable } from '../../db/transaction.ts';
import { derivedId } from '../../lib/derived-id.ts';

/** A version of a product in the records of a provider. */
interface ReportedVersion {
  readonly providerId: string;
  readonly product: string;
  readonly version: string | null;
  /** Time of the newest record, in milliseconds since 1970. */
  time: number;
}

/** Collects the products of one frame, by provider. */
export class FrameProducts {
  readonly #versions = new Map<string, ReportedVersion>();
  /** Cached, because records of one product are usually adjacent. */
  #last: ReportedVersion | undefined;

  /** Adds the product of a record, if it names one. */
  add(providerId: string, { product, productVersion, time }: DetectionFinding): void {
    if (product === null) return;
    let known = this.#last;
    if (known?.providerId !== providerId || known.product !== product || known.version !== productVersion)
      known = this.#versionOf(providerId, product, productVersion);
    if (time > known.time) known.time = time;
    this.#last = known;
  }

  #versionOf(providerId: string, product: string, version: string | null): ReportedVersion {
    // No text contains the separator, and no version is empty.
    const key = `${providerId}\0${product}\0${version ?? ''}`;
    const known = this.#versions.get(key);
    if (known !== undefined) return known;
    const added = { providerId, product, version, time: Number.NEGATIVE_INFINITY };
    this.#versions.set(key, added);
    return added;
  }

  /**
   * Stores the version and the time of the newest record of each product, in the open transaction. Call it as late as
   * possible: until the transaction ends, it locks rows that all frames of the same accounts share.
   */
  async store(client: Queryable, tenantId: string): Promise<void> {
    const versions = [...this.#versions.values()];
    if (versions.length === 0) return;
    await client.query(STORE, [
      tenantId,
      versions.map(({ providerId }) => providerId),
      versions.map(({ product }) => derivedId(product)),
      versions.map(({ product }) => product),
      versions.map(({ version }) => version),
      versions.map(({ time }) => new Date(time).toISOString()),
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
  cross join (
    select distinct on (u.provider_id, u.id) u.*
    from unnest($2::uuid[], $3::uuid[], $4::text[], $5::text[], $6::timestamptz[])
      as u (provider_id, id, product, version, last_seen_at)
    order by u.provider_id, u.id, u.last_seen_at desc, coalesce(u.version, '') collate "C" desc
  ) as w
  where t.tenant_id = $1 and not exists (
    select from provider_products p
    where p.tenant_id = $1 and p.provider_id = w.provider_id and p.id = w.id and ${newness('p')} >= ${newness('w')})
  order by w.provider_id, w.id
  on conflict (tenant_id, provider_id, id) do update set version = excluded.version, last_seen_at = excluded.last_seen_at
    where ${newness('p')} < ${newness('excluded')}`;
