import type { DetectionFinding } from '@sluice/ocsf';
import type { Queryable } from '../../db/transaction.ts';
import { derivedId } from '../../lib/derived-id.ts';
import type { Coverage } from '../upload/coverage.ts';
import type { ClaimedFrame } from '../worker/claim.ts';
import type { CheckReference } from './ensure-checks.ts';
import type { FrameReferences } from './frame-references.ts';
import { keyOf } from './frame-rows.ts';

/** The key of the check in a scope that has all checks. */
export const ALL_CHECKS = 0;
/** Takes the place of the product of records without one, which is never blank otherwise. Such scopes are not published. */
export const NO_PRODUCT = '';

/** The findings that an upload is complete for, and the earliest of its records among them. */
interface Scope {
  readonly providerId: string;
  readonly product: string;
  /** Null if the scope has all checks. */
  readonly check: CheckReference | null;
  /** In milliseconds since 1970. */
  time: number;
}

/** Collects the scopes of one frame. */
export class CoverageScopes {
  readonly #coverage: Coverage;
  readonly #references: Pick<FrameReferences, 'check'>;
  readonly #scopes = new Map<string, Map<CheckReference | null, Scope>>();

  constructor(coverage: Coverage, references: Pick<FrameReferences, 'check'>) {
    this.#coverage = coverage;
    this.#references = references;
  }

  /** Adds a record. */
  add(providerId: string, finding: DetectionFinding): void {
    const { product: named, time } = finding;
    if (this.#coverage === 'partial') return;
    const product = named ?? NO_PRODUCT;
    const check =
      this.#coverage === 'checks' && product !== NO_PRODUCT ? this.#references.check(finding) : null;
    const key = `${providerId}\0${product}`;
    const byCheck = this.#scopes.get(key) ?? new Map<CheckReference | null, Scope>();
    this.#scopes.set(key, byCheck);
    const known = byCheck.get(check);
    if (known === undefined) byCheck.set(check, { providerId, product, check, time });
    else if (time < known.time) known.time = time;
  }

  /** Stores the scopes until the job ends, in the open transaction. The checks must have their keys. */
  async store(client: Queryable, { tenantId, ingestionId, number }: ClaimedFrame): Promise<void> {
    if (this.#coverage === 'partial') return;
    const scopes = [...this.#scopes.values()].flatMap((byCheck) => [...byCheck.values()]);
    await client.query(
      `insert into coverage_parts (tenant_id, ingestion_id, frame, provider_ids, products, check_keys, times)
       values ($1, $2, $3, $4, $5, $6, $7)`,
      [
        tenantId,
        ingestionId,
        number,
        scopes.map(({ providerId }) => providerId),
        scopes.map(({ product }) => product),
        scopes.map(({ check }) => (check === null ? ALL_CHECKS : keyOf(check))),
        scopes.map(({ time }) => new Date(time).toISOString()),
      ],
    );
  }
}

/** The stored scopes of a job. */
export interface StoredScopes {
  /** The number of frames whose scopes are stored. */
  readonly frames: number;
  /** The number of providers with records that name a product, and of all others. */
  readonly withProduct: number;
  readonly withoutProduct: number;
}

export async function findStoredScopes(
  client: Queryable,
  tenantId: string,
  ingestionId: string,
): Promise<StoredScopes> {
  const { rows } = await client.query<StoredScopes>(
    `select frames, "withProduct", providers - "withProduct" as "withoutProduct" from (
       select count(distinct p.frame)::int as frames, count(distinct u.provider_id)::int as providers,
         (count(distinct u.provider_id) filter (where u.product <> '${NO_PRODUCT}'))::int as "withProduct"
       from coverage_parts p left join lateral unnest(p.provider_ids, p.products) as u (provider_id, product) on true
       where p.tenant_id = $1 and p.ingestion_id = $2
     ) as counts`,
    [tenantId, ingestionId],
  );
  return rows[0] ?? { frames: 0, withProduct: 0, withoutProduct: 0 };
}

/**
 * Adds the scopes of all frames of a job to the coverage of its live providers. From the commit on, frames resolve late
 * records themselves. Can be repeated. The tenant's id comes from a table for Citus (see `insertSql` in
 * merge-statements.ts).
 */
export async function publishScopes(client: Queryable, tenantId: string, ingestionId: string): Promise<void> {
  // As for frames: until this transaction ends, the removal of a provider that is still live for it does not end.
  await client.query('select pg_current_xact_id()');
  await client.query(
    `insert into coverages (tenant_id, provider_id, ingestion_id, id, product, check_keys, times, newest_time, published_at)
     select t.tenant_id, s.provider_id, $2, derived_id(convert_to(s.product, 'UTF8')), s.product,
       array_agg(s.check_key order by s.check_key), array_agg(s.time order by s.check_key), max(s.time), statement_timestamp()
     from tenants t
     cross join (
       select u.provider_id, u.product, u.check_key, min(u.time) as time
       from coverage_parts p
       cross join lateral unnest(p.provider_ids, p.products, p.check_keys, p.times) as u (provider_id, product, check_key, time)
       where p.tenant_id = $1 and p.ingestion_id = $2 and u.product <> '${NO_PRODUCT}'
         and u.provider_id = any(array(select id from providers where tenant_id = $1 and deleted_at is null))
       group by u.provider_id, u.product, u.check_key
     ) as s
     where t.tenant_id = $1
     group by t.tenant_id, s.provider_id, s.product
     on conflict do nothing`,
    [tenantId, ingestionId],
  );
}

/** A product whose findings a user resolves, as if an upload without them were complete for its provider. */
export interface ManualCoverage {
  /** Takes the place of the upload's id. */
  readonly id: string;
  readonly providerId: string;
  readonly product: string;
  readonly time: Date;
}

/** Like `publishScopes`. Returns false if the provider is not live. */
export async function publishManual(
  client: Queryable,
  tenantId: string,
  { id, providerId, product, time }: ManualCoverage,
): Promise<boolean> {
  await client.query('select pg_current_xact_id()');
  const { rowCount } = await client.query(
    `insert into coverages (tenant_id, provider_id, ingestion_id, id, product, check_keys, times, newest_time, is_manual, published_at)
     select t.tenant_id, $2::uuid, $3::uuid, $4::uuid, $5::text, array[${ALL_CHECKS}::bigint], array[$6::timestamptz],
       $6::timestamptz, true, statement_timestamp()
     from tenants t
     where t.tenant_id = $1
       and exists (select from providers where tenant_id = $1 and id = $2 and deleted_at is null)`,
    [tenantId, providerId, id, derivedId(product), product, time],
  );
  return rowCount === 1;
}

/** Whether the id is that of a manual coverage whose provider still has rows. */
export async function isManualCoverage(client: Queryable, tenantId: string, id: string): Promise<boolean> {
  const { rowCount } = await client.query(
    'select from coverages where tenant_id = $1 and ingestion_id = $2 and is_manual',
    [tenantId, id],
  );
  return rowCount !== 0;
}
