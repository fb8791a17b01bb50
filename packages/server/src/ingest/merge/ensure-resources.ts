import type { FindingResource } from '@sluice/ocsf';
import { inTransaction, type Queryable } from '../../db/transaction.ts';
import { BoundedMap } from '../../lib/bounded-map.ts';
import { createOrUpdateResources } from './create-resources.ts';
import { compareAttributes, isNewer } from './resource-attributes.ts';

/** A resource that findings refer to. */
export interface ResourceReference {
  /** Derived from the provider and the uid; one character per byte. */
  readonly id: string;
  /** `resources.key`; 0 until it is known. */
  key: number;
  readonly providerId: string;
  readonly uid: string;
  /** From the newest record of the frame. */
  attributes: FindingResource;
  /** Time of the newest record of the frame, in milliseconds since 1970. */
  time: number;
  /** The pattern of the first finding's uid; null if its uid has none. */
  readonly uidPattern: string | null;
  /** `resources.uid_pattern`. Findings with this pattern need no uid of their own. */
  storedPattern: string | null;
  /** The row has these attributes if this is its `xmin`, which changes with each update. */
  version: string | null;
}

/** A resource in the database, which has these or newer attributes. */
type KnownResource = Readonly<
  Pick<ResourceReference, 'key' | 'storedPattern' | 'attributes' | 'time' | 'version'>
>;

/** Stores each resource once, with the attributes and the time of its newest record. Caches stored resources. */
export class ResourceStore {
  readonly #known = new BoundedMap<string, KnownResource>(50_000);

  /** Writes new and changed resources in separate short transactions, and sets the keys of all. */
  async ensure(client: Queryable, tenantId: string, resources: Iterable<ResourceReference>): Promise<void> {
    const changed: ResourceReference[] = [];
    const seenAgain: ResourceReference[] = [];
    for (const resource of resources) {
      const known = this.#known.get(resource.id);
      if (known === undefined) {
        changed.push(resource);
        continue;
      }
      resource.key = known.key;
      resource.storedPattern = known.storedPattern;
      resource.version = known.version;
      if (!isNewer(resource, known)) continue;
      const isSame = compareAttributes(resource.attributes, known.attributes) === 0;
      (isSame && known.version !== null ? seenAgain : changed).push(resource);
    }
    const pending = [...changed, ...(await advance(client, tenantId, seenAgain))];
    if (pending.length > 0) {
      sortById(pending);
      await inTransaction(client, tenantId, () => createOrUpdateResources(client, tenantId, pending));
    }
    for (const list of [seenAgain, pending])
      for (const { id, key, storedPattern, attributes, time, version } of list)
        this.#known.set(id, { key, storedPattern, attributes, time, version });
  }
}

/** Ordered, so that two transactions never deadlock. */
function sortById(resources: ResourceReference[]): void {
  resources.sort((a, b) => (a.id < b.id ? -1 : 1));
}

/**
 * Other workers may have changed the attributes, even without a later time. The arrays are in subqueries so that PostgreSQL
 * looks up each row (see `UPDATE` in create-resources.ts). `uid_pattern` keeps its value, but if an update sets none of
 * the columns from which others are generated, PostgreSQL 18 parses the expressions again for each row, which takes longer
 * than the rest of the update.
 */
const ADVANCE = `
  with same as materialized (
    select r.key, w.seen_at from unnest((select $2::bigint[]), (select $3::timestamptz[]), (select $4::xid[])) as w (key, seen_at, version)
    cross join lateral (
      select key from resources r where r.tenant_id = $1 and r.key = w.key and r.xmin = w.version offset 0 for no key update
    ) as r
  ), advanced as (
    update resources r set seen_at = same.seen_at, uid_pattern = r.uid_pattern from same
    where r.tenant_id = $1 and r.key = same.key returning r.key, r.xmin
  )
  select array_agg(key::float8) as keys, (array_agg(xmin))[1]::text as version from advanced`;

/**
 * Writes the times of known resources whose attributes have not changed. Returns the resources that are not stored as they
 * are known.
 */
async function advance(
  client: Queryable,
  tenantId: string,
  resources: ResourceReference[],
): Promise<readonly ResourceReference[]> {
  if (resources.length === 0) return [];
  sortById(resources);
  const { rows } = await inTransaction(client, tenantId, () =>
    client.query<{ keys: readonly number[] | null; version: string | null }>(ADVANCE, [
      tenantId,
      resources.map(({ key }) => key),
      resources.map(({ time }) => new Date(time).toISOString()),
      resources.map(({ version }) => version),
    ]),
  );
  const advanced = new Set(rows[0]?.keys);
  for (const resource of resources)
    if (advanced.has(resource.key)) resource.version = rows[0]?.version ?? null;
  return advanced.size === resources.length ? [] : resources.filter(({ key }) => !advanced.has(key));
}
