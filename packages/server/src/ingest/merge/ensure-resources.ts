import type { FindingResource } from '@sluice/ocsf';
import { inTransaction, type Queryable } from '../../db/transaction.ts';
import { compareAttributes, hasSameAttributes } from './frame-references.ts';

/** A resource that findings refer to. */
export interface ResourceReference {
  /** Derived from the provider and the uid. */
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
}

interface StoredResource {
  readonly id: string;
  readonly key: number;
  readonly attributes: FindingResource;
  readonly uidPattern: string | null;
  /** `resources.seen_at`, in milliseconds since 1970. */
  readonly seenAt: number;
  /** `xmin`, which changes with each update of the row. */
  readonly version: string;
}

/**
 * Stores each resource once, with the attributes and the time of its newest record. Caches stored resources; another
 * worker may have updated a cached resource, so it is updated only if its row is still the cached one.
 */
export class ResourceStore {
  readonly #known = new Map<string, StoredResource>();
  readonly #maxKnown: number;

  constructor(maxKnown = 50_000) {
    this.#maxKnown = maxKnown;
  }

  /** Writes new and changed resources in a separate short transaction, and sets the keys of all. */
  async ensure(client: Queryable, tenantId: string, resources: Iterable<ResourceReference>): Promise<void> {
    const pending: ResourceReference[] = [];
    const stored = new Map<string, StoredResource>();
    for (const resource of resources) {
      const known = this.#known.get(resource.id);
      if (known !== undefined) stored.set(resource.id, known);
      if (known === undefined || isNewer(resource, known)) pending.push(resource);
      else setStored(resource, known);
    }
    if (pending.length === 0) return;
    // Ordered, so that two transactions never deadlock.
    pending.sort((a, b) => (a.id < b.id ? -1 : 1));
    await inTransaction(client, tenantId, () => ensureResources(client, tenantId, pending, stored));
    if (this.#known.size > this.#maxKnown) this.#known.clear();
    for (const resource of pending) {
      const row = stored.get(resource.id);
      if (row === undefined)
        throw new Error(`the resource ${resource.uid} was deleted while its findings were being read`);
      setStored(resource, row);
      this.#known.set(resource.id, row);
    }
  }
}

function setStored(resource: ResourceReference, { key, uidPattern }: StoredResource): void {
  resource.key = key;
  resource.storedPattern = uidPattern;
}

/** Ties between records with the same time are broken by the attributes, so that the result does not depend on order. */
function isNewer({ time, attributes }: ResourceReference, stored: StoredResource): boolean {
  if (time !== stored.seenAt) return time > stored.seenAt;
  return (
    !hasSameAttributes(attributes, stored.attributes) && compareAttributes(attributes, stored.attributes) > 0
  );
}

/** Creates or updates the resources until `stored` contains the newest state of each. */
async function ensureResources(
  client: Queryable,
  tenantId: string,
  resources: readonly ResourceReference[],
  stored: Map<string, StoredResource>,
): Promise<void> {
  const load = async (unknown: readonly ResourceReference[]) => {
    if (unknown.length === 0) return;
    for (const row of await findResources(client, tenantId, unknown)) stored.set(row.id, row);
  };
  const missing = () => resources.filter(({ id }) => !stored.has(id));
  await load(missing());
  await createResources(client, tenantId, missing(), stored);
  await load(missing());
  for (;;) {
    const newer = resources.flatMap((resource) => {
      const row = stored.get(resource.id);
      return row !== undefined && isNewer(resource, row) ? [{ resource, row }] : [];
    });
    if (newer.length === 0) return;
    const updated = await updateResources(client, tenantId, newer);
    for (const { resource, row } of newer) {
      const version = updated.get(resource.id);
      if (version !== undefined)
        stored.set(resource.id, { ...row, attributes: resource.attributes, seenAt: resource.time, version });
    }
    // Another worker has updated these since they were read.
    const changed = newer.map(({ resource }) => resource).filter(({ id }) => !updated.has(id));
    for (const { id } of changed) stored.delete(id);
    await load(changed);
  }
}

async function createResources(
  client: Queryable,
  tenantId: string,
  resources: readonly ResourceReference[],
  stored: Map<string, StoredResource>,
): Promise<void> {
  if (resources.length === 0) return;
  const { rows } = await client.query<Pick<StoredResource, 'id' | 'key' | 'version'>>(INSERT, [
    tenantId,
    ...columnsOf(resources),
    resources.map(({ uidPattern }) => uidPattern),
  ]);
  const created = new Map(rows.map((row) => [row.id, row]));
  for (const { id, attributes, uidPattern, time } of resources) {
    const row = created.get(id);
    if (row !== undefined) stored.set(id, { ...row, attributes, uidPattern, seenAt: time });
  }
}

/** A resource with a newer record, and its stored state. */
interface NewerResource {
  readonly resource: ResourceReference;
  readonly row: StoredResource;
}

/** Returns the new versions of the resources that were still in the stored state, by id. */
async function updateResources(
  client: Queryable,
  tenantId: string,
  newer: readonly NewerResource[],
): Promise<ReadonlyMap<string, string>> {
  const updated = new Map<string, string>();
  const update = async (statement: string, some: readonly NewerResource[], columns: readonly unknown[]) => {
    if (some.length === 0) return;
    const versions = some.map(({ row }) => row.version);
    const { rows } = await client.query<Pick<StoredResource, 'id' | 'version'>>(statement, [
      tenantId,
      ...columns,
      versions,
    ]);
    for (const { id, version } of rows) updated.set(id, version);
  };
  const resourcesOf = (some: readonly NewerResource[]) => some.map(({ resource }) => resource);
  const same = newer.filter(({ resource, row }) => hasSameAttributes(resource.attributes, row.attributes));
  await update(ADVANCE, same, [resourcesOf(same).map(({ id }) => id), timesOf(resourcesOf(same))]);
  const isSame = new Set(same);
  const changed = newer.filter((one) => !isSame.has(one));
  await update(UPDATE, changed, columnsOf(resourcesOf(changed)));
  return updated;
}

const INSERT = `
  insert into resources (tenant_id, id, provider_id, uid, name, type, region, service, labels, seen_at, uid_pattern)
  select $1, w.id, w.provider_id, w.uid, w.name, w.type, w.region, w.service,
    w.labels::text[], w.seen_at, w.uid_pattern
  from unnest($2::uuid[], $3::uuid[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[], $9::text[], $10::timestamptz[],
    $11::text[]) as w (id, provider_id, uid, name, type, region, service, labels, seen_at, uid_pattern)
  order by w.id on conflict do nothing returning id, key::float8, xmin::text as version`;

/** Locks the rows in the order of their ids. */
const LOCKED = `locked as materialized (
    select id from resources where tenant_id = $1 and id = any($2::uuid[]) order by id for no key update
  )`;
const IS_UNCHANGED =
  'w.id in (select id from locked) and r.tenant_id = $1 and r.id = w.id and r.xmin = w.version';

const ADVANCE = `
  with ${LOCKED}
  update resources r set seen_at = w.seen_at
  from unnest($2::uuid[], $3::timestamptz[], $4::xid[]) as w (id, seen_at, version)
  where ${IS_UNCHANGED}
  returning r.id, r.xmin::text as version`;

const UPDATE = `
  with ${LOCKED}
  update resources r set name = w.name, type = w.type, region = w.region, service = w.service,
    labels = w.labels::text[], seen_at = w.seen_at
  from unnest($2::uuid[], $3::uuid[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[], $9::text[], $10::timestamptz[],
    $11::xid[]) as w (id, provider_id, uid, name, type, region, service, labels, seen_at, version)
  where ${IS_UNCHANGED}
  returning r.id, r.xmin::text as version`;

function columnsOf(resources: readonly ResourceReference[]): readonly unknown[] {
  return [
    resources.map(({ id }) => id),
    resources.map(({ providerId }) => providerId),
    resources.map(({ uid }) => uid),
    resources.map(({ attributes }) => attributes.name),
    resources.map(({ attributes }) => attributes.type),
    resources.map(({ attributes }) => attributes.region),
    resources.map(({ attributes }) => attributes.service),
    resources.map(({ attributes }) => arrayLiteral(attributes.labels)),
    timesOf(resources),
  ];
}

/** `{"a","b"}` (PostgreSQL documentation, "Arrays") */
function arrayLiteral(values: readonly string[]): string {
  return `{${values.map((value) => `"${value.replace(/[\\"]/g, '\\$&')}"`).join(',')}}`;
}

function timesOf(resources: readonly ResourceReference[]): readonly string[] {
  return resources.map(({ time }) => new Date(time).toISOString());
}

interface ResourceRow extends Omit<StoredResource, 'attributes'>, FindingResource {}

async function findResources(
  client: Queryable,
  tenantId: string,
  resources: readonly ResourceReference[],
): Promise<readonly StoredResource[]> {
  const { rows } = await client.query<ResourceRow>(
    `select id, key::float8, xmin::text as version, uid, name, type, region, service, labels, uid_pattern as "uidPattern",
       round(extract(epoch from seen_at) * 1000)::float8 as "seenAt"
     from resources where tenant_id = $1 and id = any($2::uuid[])`,
    [tenantId, resources.map(({ id }) => id)],
  );
  return rows.map(({ id, key, version, uidPattern, seenAt, ...attributes }) => ({
    id,
    key,
    version,
    uidPattern,
    seenAt,
    attributes,
  }));
}
