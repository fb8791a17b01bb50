import { onlyRow } from '../../db/only-row.ts';
import type { Queryable } from '../../db/transaction.ts';
import { hexOf, uuidBytes } from './copy-writer.ts';
import type { ResourceReference } from './ensure-resources.ts';
import { type Created, type IncomingResources, sendResources } from './incoming-resources.ts';
import { insertIfAllNew } from './insert-if-all-new.ts';
import { patternOf } from './uid-pattern.ts';

/**
 * Creates the resources, updates those that are stored with an older record, and sets the keys of all, in the open
 * transaction. The resources are ordered by id, so that two transactions never deadlock.
 */
export async function createOrUpdateResources(
  client: Queryable,
  tenantId: string,
  resources: readonly ResourceReference[],
): Promise<void> {
  for (const resource of resources)
    resource.uidPattern = resource.finding && patternOf(resource.finding.uid, resource.finding.checkId);
  const incoming = await sendResources(client, tenantId, resources);
  if (!(await createAll(client, tenantId, incoming, resources)))
    await createOrUpdate(client, tenantId, incoming, resources);
}

const ATTRIBUTES = ['name', 'type', 'region', 'service'];
const sortKeyOf = (row: string, labels: string) =>
  `(${row}.seen_at, ${ATTRIBUTES.map((name) => `coalesce(${row}.${name}, '') collate "C"`).join(', ')}, ${labels} collate "C")`;
/** SQL condition: `isNewer` (resource-attributes.ts) for the row `i`, compared with the row `r`. */
const IS_OLDER = `${sortKeyOf('r', 'r.labels')} < ${sortKeyOf('i', 'i.labels::text[]')}`;

/**
 * Inserts the resources if none of a sample exists. Looking up each of them first takes a fifth of the time. Returns
 * false, and changes nothing, unless all resources are new.
 */
async function createAll(
  client: Queryable,
  tenantId: string,
  incoming: IncomingResources,
  resources: readonly ResourceReference[],
): Promise<boolean> {
  const created = await insertIfAllNew(client, tenantId, {
    table: 'resources',
    ids: resources.map(({ id }) => id),
    insert: incoming.insertAll,
  });
  return created !== undefined && setKeys(resources, created);
}

/** Returns false if another transaction created some of the resources. */
function setKeys(resources: readonly ResourceReference[], { keys, version }: Created): boolean {
  if (keys.length !== resources.length) return false;
  resources.forEach((resource, at) => {
    resource.key = keys[at] ?? 0;
    resource.version = version;
  });
  return true;
}

/** How resources are stored, in the order of their ids. */
interface Found {
  /** 0 if the resource does not exist. */
  readonly keys: string;
  /** `o` if the stored resource is older. */
  readonly states: string;
  /** The stored patterns that differ from those of the frame, by resource id. */
  readonly patterns: Readonly<Record<string, string | null>>;
}

const findSql = (rows: string) => `
  select string_agg(coalesce(r.key, 0)::text, ',' order by i.id) as keys,
    string_agg(case when ${IS_OLDER} then 'o' else '-' end, '' order by i.id) as states,
    coalesce(json_object_agg(i.id, r.uid_pattern)
      filter (where r.key is not null and r.uid_pattern is distinct from i.uid_pattern), '{}') as patterns
  from ${rows} as i
  left join lateral (select * from resources where tenant_id = $1 and id = i.id offset 0) as r on true`;

/**
 * Locks the rows in the order of their ids. Another transaction may have updated them since they were found. PostgreSQL
 * expects few ids from an array in a subquery and looks up each of them. Otherwise, it reads all resources of the
 * tenant until the table has statistics.
 */
const updateSql = (rows: string) => `
  with locked as materialized (
    select r.id from (select id from unnest((select $2::uuid[])) as w (id) order by id) as w
    cross join lateral (select id from resources where tenant_id = $1 and id = w.id offset 0 for no key update) as r
  ), updated as (
    update resources r set name = i.name, type = i.type, region = i.region, service = i.service, labels = i.labels::text[],
      seen_at = i.seen_at
    from locked join ${rows} as i using (id)
    where r.tenant_id = $1 and r.id = locked.id and ${IS_OLDER}
    returning r.xmin
  )
  select (array_agg(xmin))[1]::text as version from updated`;

/**
 * While databases are upgraded, `create_finding_dimensions` (migration 0029) creates all resources before it updates
 * any. A single upsert in the order of ids, as in ensure-checks.ts, could deadlock with it; the next release can use
 * one.
 *
 * Repeated until no other transaction has created one of the missing resources in the meantime.
 */
async function createOrUpdate(
  client: Queryable,
  tenantId: string,
  incoming: IncomingResources,
  resources: readonly ResourceReference[],
): Promise<void> {
  let missingBefore = Number.POSITIVE_INFINITY;
  for (;;) {
    const found = onlyRow(
      await client.query<Found>(findSql(incoming.rows(2)), [tenantId, ...incoming.values(resources)]),
    );
    const patterns = new Map(
      Object.entries(found.patterns).map(([id, pattern]) => [uuidBytes(id), pattern] as const),
    );
    const keys = found.keys.split(',');
    resources.forEach((resource, at) => {
      resource.key = Number(keys[at]);
      const stored = patterns.get(resource.id);
      if (stored !== undefined) resource.uidPattern = stored;
    });
    const missing = resources.filter(({ key }) => key === 0);
    if (missing.length >= missingBefore) throw new Error(`${missing.length} resources could not be created`);
    if (missing.length > 0) {
      missingBefore = missing.length;
      if (!setKeys(missing, await incoming.insertMissing(missing))) continue;
    }
    // Every transaction creates before it updates, so that two never deadlock.
    await update(
      client,
      tenantId,
      incoming,
      resources.filter((_, at) => found.states[at] === 'o'),
    );
    return;
  }
}

async function update(
  client: Queryable,
  tenantId: string,
  incoming: IncomingResources,
  older: readonly ResourceReference[],
): Promise<void> {
  if (older.length === 0) return;
  const ids = older.map(({ id }) => hexOf(id));
  const updated = await client.query<{ version: string | null }>(updateSql(incoming.rows(3)), [
    tenantId,
    ids,
    ...incoming.values(older),
  ]);
  const { version } = onlyRow(updated);
  // A row for which another transaction has stored a newer record in the meantime has another version.
  for (const resource of older) resource.version = version;
}
