import type { FindingResource } from '@sluice/ocsf';
import { UNIQUE_VIOLATION } from '../../db/database-errors.ts';
import { inTransaction, type Queryable } from '../../db/transaction.ts';
import { codeOf } from '../../lib/errors.ts';
import { CopyWriter, copyInto, hexOf, uuidBytes } from './copy-writer.ts';
import { isNewer } from './resource-attributes.ts';

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
}

/** A resource in the database, which has these or newer attributes. */
type KnownResource = Readonly<Pick<ResourceReference, 'key' | 'storedPattern' | 'attributes' | 'time'>>;

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

/** A temporary table that each connection needs that creates resources. */
export const CREATE_INCOMING_RESOURCES = `create temporary table incoming_resources
  (${COLUMNS.map((column) => column.join(' ')).join(', ')}) on commit delete rows`;

/** Typical size of a row; the buffer grows if rows are longer. */
const ROW_BYTES = 400;
const SAMPLE_SIZE = 20;

/** Stores each resource once, with the attributes and the time of its newest record. Caches stored resources. */
export class ResourceStore {
  readonly #known = new Map<string, KnownResource>();
  readonly #maxKnown: number;

  constructor(maxKnown = 50_000) {
    this.#maxKnown = maxKnown;
  }

  /** Writes new and changed resources in a separate short transaction, and sets the keys of all. */
  async ensure(client: Queryable, tenantId: string, resources: Iterable<ResourceReference>): Promise<void> {
    const pending: ResourceReference[] = [];
    for (const resource of resources) {
      const known = this.#known.get(resource.id);
      if (known === undefined || isNewer(resource, known)) pending.push(resource);
      else {
        resource.key = known.key;
        resource.storedPattern = known.storedPattern;
      }
    }
    if (pending.length === 0) return;
    // Ordered, so that two transactions never deadlock.
    pending.sort((a, b) => (a.id < b.id ? -1 : 1));
    await inTransaction(client, tenantId, async () => {
      await copyResources(client, pending);
      if (!(await createAll(client, tenantId, pending))) await createOrUpdate(client, tenantId, pending);
    });
    if (this.#known.size > this.#maxKnown) this.#known.clear();
    for (const { id, key, storedPattern, attributes, time } of pending)
      this.#known.set(id, { key, storedPattern, attributes, time });
  }
}

const ATTRIBUTES = ['name', 'type', 'region', 'service'];
const ordered = (row: string, labels: string) =>
  `(${row}.seen_at, ${ATTRIBUTES.map((name) => `coalesce(${row}.${name}, '') collate "C"`).join(', ')}, ${labels} collate "C")`;
/** SQL condition: `isNewer` for the row `i`, compared with the row `r`. */
const IS_OLDER = `${ordered('r', 'r.labels')} < ${ordered('i', 'i.labels::text[]')}`;

async function copyResources(client: Queryable, resources: readonly ResourceReference[]): Promise<void> {
  const writer = new CopyWriter(resources.length * ROW_BYTES);
  const providers = new Map(
    Array.from(new Set(resources.map(({ providerId }) => providerId)), (id) => [id, uuidBytes(id)]),
  );
  for (const { id, providerId, uid, attributes, time, uidPattern } of resources) {
    const { name, type, region, service } = attributes;
    const labels = arrayLiteral(attributes.labels);
    writer.beginRow(COLUMNS.length, [uid, name, type, region, service, labels, uidPattern]);
    writer.uuid(id);
    writer.uuid(providers.get(providerId) ?? '');
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
/** The keys of inserted resources, in the order of their ids. Parsing one text is faster than parsing many rows. */
const KEYS = `select string_agg(key::text, ',' order by id) as keys from created`;

/** Inserts the resources if none of a sample exists. Looking up each of them first takes a fifth of the time. */
const CREATE_ALL = `with created as (${INSERT}
    where not exists (select from resources where tenant_id = $1 and id = any($2::uuid[]))
    returning id, key
  ) ${KEYS}`;

const CREATE_MISSING = `with created as (${INSERT}
    where id = any($2::uuid[]) order by id on conflict do nothing returning id, key
  ) ${KEYS}`;

/** Returns false, and changes nothing, unless all resources are new. */
async function createAll(
  client: Queryable,
  tenantId: string,
  resources: readonly ResourceReference[],
): Promise<boolean> {
  const step = Math.ceil(resources.length / SAMPLE_SIZE);
  const sample = resources.filter((_, at) => at % step === 0).map(({ id }) => hexOf(id));
  await client.query('savepoint creating');
  try {
    return setKeys(resources, await client.query<Created>(CREATE_ALL, [tenantId, sample]));
  } catch (error) {
    if (codeOf(error) !== UNIQUE_VIOLATION) throw error;
    await client.query('rollback to savepoint creating');
    return false;
  }
}

interface Created {
  readonly keys: string | null;
}

/** Returns false if another transaction created some of the resources. */
function setKeys(
  resources: readonly ResourceReference[],
  { rows }: { readonly rows: readonly Created[] },
): boolean {
  const keys = rows[0]?.keys?.split(',') ?? [];
  if (keys.length !== resources.length) return false;
  for (const [at, resource] of resources.entries()) {
    resource.key = Number(keys[at]);
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

/** Locks the rows in the order of their ids. Another transaction may have updated them since they were found. */
const UPDATE = `
  with locked as materialized (
    select id from resources where tenant_id = $1 and id = any($2::uuid[]) order by id for no key update
  )
  update resources r set name = i.name, type = i.type, region = i.region, service = i.service, labels = i.labels::text[],
    seen_at = i.seen_at
  from incoming_resources i
  where i.id in (select id from locked) and r.tenant_id = $1 and r.id = i.id and ${IS_OLDER}`;

/** Repeated until no other transaction has created one of the missing resources in the meantime. */
async function createOrUpdate(
  client: Queryable,
  tenantId: string,
  resources: readonly ResourceReference[],
): Promise<void> {
  for (;;) {
    const { rows } = await client.query<Found>(FIND, [tenantId]);
    const [found] = rows;
    if (found === undefined) throw new Error('PostgreSQL returned no row for an aggregate');
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
    const older = resources.filter((_, at) => found.states[at] === 'o').map(({ id }) => hexOf(id));
    if (older.length > 0) await client.query(UPDATE, [tenantId, older]);
    return;
  }
}
