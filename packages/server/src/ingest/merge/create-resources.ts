import type pg from 'pg';
import { onlyRow } from '../../db/only-row.ts';
import type { Queryable } from '../../db/transaction.ts';
import { CopyWriter, copyInto, hexOf, uuidBytes } from './copy-writer.ts';
import type { ResourceReference } from './ensure-resources.ts';
import { insertIfAllNew, sampleOf } from './insert-if-all-new.ts';

/** The columns of the temporary table for the resources of a frame, with their types. */
const COLUMNS = [
  ['id', 'uuid'],
  ['provider_id', 'uuid'],
  ['uid', 'text'],
  ['name', 'text'],
  ['type', 'text'],
  ['region', 'text'],
  ['service', 'text'],
  ['labels', 'text'],
  ['seen_at', 'timestamptz'],
  ['uid_pattern', 'text'],
] as const;
const NAMES = COLUMNS.map(([name]) => name).join(', ');

/** Every connection that creates resources needs this temporary table. */
export const CREATE_INCOMING_RESOURCES = `create temporary table incoming_resources
  (${COLUMNS.map((column) => column.join(' ')).join(', ')}) on commit delete rows`;

/** Typical size of a row; the buffer grows if rows are longer. */
const ROW_BYTES = 400;

/**
 * Creates the resources, updates those that are stored with an older record, and sets the keys of all, in the open
 * transaction. The resources are ordered by id, so that two transactions never deadlock.
 */
export async function createOrUpdateResources(
  client: Queryable,
  tenantId: string,
  resources: readonly ResourceReference[],
): Promise<void> {
  await copyResources(client, resources);
  if (!(await createAll(client, tenantId, resources))) await createOrUpdate(client, tenantId, resources);
}

const ATTRIBUTES = ['name', 'type', 'region', 'service'];
const sortKeyOf = (row: string, labels: string) =>
  `(${row}.seen_at, ${ATTRIBUTES.map((name) => `coalesce(${row}.${name}, '') collate "C"`).join(', ')}, ${labels} collate "C")`;
/** SQL condition: `isNewer` (resource-attributes.ts) for the row `i`, compared with the row `r`. */
const IS_OLDER = `${sortKeyOf('r', 'r.labels')} < ${sortKeyOf('i', 'i.labels::text[]')}`;

async function copyResources(client: Queryable, resources: readonly ResourceReference[]): Promise<void> {
  const writer = new CopyWriter(resources.length * ROW_BYTES);
  for (const { id, providerId, uid, attributes, time, uidPattern } of resources) {
    const { name, type, region, service } = attributes;
    const labels = arrayLiteral(attributes.labels);
    writer.beginRow(COLUMNS.length, [uid, name, type, region, service, labels, uidPattern]);
    writer.uuid(id);
    writer.uuidText(providerId);
    for (const text of [uid, name, type, region, service, labels]) writer.text(text);
    writer.timestamp(time);
    writer.text(uidPattern);
  }
  await copyInto(client, 'incoming_resources', NAMES, writer.end());
  writer.release();
}

/** `{"a","b"}` (PostgreSQL documentation, "Arrays") */
function arrayLiteral(values: readonly string[]): string {
  return `{${values.map((value) => `"${value.replace(/[\\"]/g, '\\$&')}"`).join(',')}}`;
}

const INSERT = `
  insert into resources (tenant_id, ${NAMES})
  select $1, ${NAMES.replace('labels', 'labels::text[]')} from incoming_resources i`;

/**
 * The keys of inserted resources, in the order of their ids, and the version of all. Parsing one text is faster than
 * parsing many rows.
 */
const returningKeys = (insert: string) => `
  with created as (${insert} returning id, key, xmin)
  select string_agg(key::text, ',' order by id) as keys, (array_agg(xmin))[1]::text as version from created`;

/** Inserts the resources if none of a sample exists. Looking up each of them first takes a fifth of the time. */
const CREATE_ALL = returningKeys(`${INSERT}
    where not exists (select from resources where tenant_id = $1 and id = any($2::uuid[]))`);

const CREATE_MISSING = returningKeys(`${INSERT}
    where id = any($2::uuid[]) order by id on conflict do nothing`);

/** Returns false, and changes nothing, unless all resources are new. */
async function createAll(
  client: Queryable,
  tenantId: string,
  resources: readonly ResourceReference[],
): Promise<boolean> {
  const sample = sampleOf(resources.map(({ id }) => id));
  const created = await insertIfAllNew(client, () => client.query<Created>(CREATE_ALL, [tenantId, sample]));
  return created !== undefined && setKeys(resources, created);
}

interface Created {
  readonly keys: string | null;
  readonly version: string | null;
}

/** Returns false if another transaction created some of the resources. */
function setKeys(resources: readonly ResourceReference[], result: pg.QueryResult<Created>): boolean {
  const { keys: text, version } = onlyRow(result);
  const keys = text?.split(',') ?? [];
  if (keys.length !== resources.length) return false;
  for (const [at, resource] of resources.entries()) {
    resource.key = Number(keys[at]);
    resource.version = version;
    resource.storedPattern = resource.uidPattern;
  }
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

const FIND = `
  select string_agg(coalesce(r.key, 0)::text, ',' order by i.id) as keys,
    string_agg(case when ${IS_OLDER} then 'o' else '-' end, '' order by i.id) as states,
    coalesce(json_object_agg(i.id, r.uid_pattern)
      filter (where r.key is not null and r.uid_pattern is distinct from i.uid_pattern), '{}') as patterns
  from incoming_resources i
  left join lateral (select * from resources where tenant_id = $1 and id = i.id offset 0) as r on true`;

/**
 * Locks the rows in the order of their ids. Another transaction may have updated them since they were found. PostgreSQL
 * expects few ids from an array in a subquery and looks up each of them. Otherwise, it reads all resources of the
 * tenant until the table has statistics.
 */
const UPDATE = `
  with locked as materialized (
    select r.id from (select id from unnest((select $2::uuid[])) as w (id) order by id) as w
    cross join lateral (select id from resources where tenant_id = $1 and id = w.id offset 0 for no key update) as r
  ), updated as (
    update resources r set name = i.name, type = i.type, region = i.region, service = i.service, labels = i.labels::text[],
      seen_at = i.seen_at
    from locked join incoming_resources i using (id)
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
  resources: readonly ResourceReference[],
): Promise<void> {
  for (;;) {
    const found = onlyRow(await client.query<Found>(FIND, [tenantId]));
    const patterns = new Map(
      Object.entries(found.patterns).map(([id, pattern]) => [uuidBytes(id), pattern] as const),
    );
    const keys = found.keys.split(',');
    for (const [at, resource] of resources.entries()) {
      resource.key = Number(keys[at]);
      const stored = patterns.get(resource.id);
      resource.storedPattern = stored === undefined ? resource.uidPattern : stored;
    }
    const missing = resources.filter(({ key }) => key === 0);
    if (missing.length > 0) {
      const ids = missing.map(({ id }) => hexOf(id));
      if (!setKeys(missing, await client.query<Created>(CREATE_MISSING, [tenantId, ids]))) continue;
    }
    // Every transaction creates before it updates, so that two never deadlock.
    await update(
      client,
      tenantId,
      resources.filter((_, at) => found.states[at] === 'o'),
    );
    return;
  }
}

async function update(
  client: Queryable,
  tenantId: string,
  older: readonly ResourceReference[],
): Promise<void> {
  if (older.length === 0) return;
  const ids = older.map(({ id }) => hexOf(id));
  const { version } = onlyRow(await client.query<{ version: string | null }>(UPDATE, [tenantId, ids]));
  // A row for which another transaction has stored a newer record in the meantime has another version.
  for (const resource of older) resource.version = version;
}
