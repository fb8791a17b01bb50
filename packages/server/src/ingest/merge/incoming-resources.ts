import { textArrayLiteral } from '../../db/array-literal.ts';
import { isDistributed } from '../../db/distribution.ts';
import { onlyRow } from '../../db/only-row.ts';
import type { Queryable } from '../../db/transaction.ts';
import { CopyWriter, copyInto, hexOf } from './copy-writer.ts';
import type { ResourceReference } from './ensure-resources.ts';
import { nextKeys } from './next-keys.ts';

/** The columns of the resources of a frame, with their types. */
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
const NAMES = COLUMNS.map(([name]) => name);
const TYPES = COLUMNS.map((column) => column.join(' ')).join(', ');

/** Each connection that creates resources needs this temporary table, unless the database is distributed. */
export const CREATE_INCOMING_RESOURCES = `create temporary table incoming_resources (${TYPES}) on commit delete rows`;

/** Typical size of a row; the buffer grows if rows are longer. */
const ROW_BYTES = 400;

/** The resources of a frame, where the statements of the open transaction can read them. */
export interface IncomingResources {
  /** SQL of the rows. `parameter` is the number of the statement's next parameter, which has the value `values`. */
  readonly rows: (parameter: number) => string;
  /** On a cluster, `rows` has only these of the resources. */
  readonly values: (resources: readonly ResourceReference[]) => readonly string[];
  /** Inserts all resources. Fails if one exists. */
  readonly insertAll: () => Promise<Created>;
  /** Inserts these of the resources, except those that exist. */
  readonly insertMissing: (resources: readonly ResourceReference[]) => Promise<Created>;
}

/** The keys of all inserted resources in the order of their ids, and their version. */
export interface Created {
  readonly keys: readonly number[];
  readonly version: string | null;
}

/** Sends the resources, which are ordered by id, to the database. */
export async function sendResources(
  client: Queryable,
  tenantId: string,
  resources: readonly ResourceReference[],
): Promise<IncomingResources> {
  return isDistributed(client)
    ? sendAsParameter(client, tenantId, resources)
    : await copyResources(client, tenantId, resources);
}

const UNLESS_EXISTS = 'order by i.id on conflict do nothing';

/**
 * `rest` follows the first condition. The tenant's id comes from a table; Citus would otherwise pass each row through
 * the coordinator.
 */
function insertSql(names: readonly string[], rows: string, rest: string): string {
  const values = names.map((name) => (name === 'labels' ? 'i.labels::text[]' : `i.${name}`));
  return `
    insert into resources as r (tenant_id, ${names.join(', ')})
    select t.tenant_id, ${values.join(', ')} from tenants t cross join ${rows} as i
    where t.tenant_id = $1 ${rest}`;
}

async function copyResources(
  client: Queryable,
  tenantId: string,
  resources: readonly ResourceReference[],
): Promise<IncomingResources> {
  const writer = new CopyWriter(resources.length * ROW_BYTES);
  for (const { id, providerId, uid, attributes, time, uidPattern } of resources) {
    const { name, type, region, service } = attributes;
    const labels = textArrayLiteral(attributes.labels);
    writer.beginRow(COLUMNS.length, [uid, name, type, region, service, labels, uidPattern]);
    writer.uuid(id);
    writer.uuidText(providerId);
    for (const text of [uid, name, type, region, service, labels]) writer.text(text);
    writer.timestamp(time);
    writer.text(uidPattern);
  }
  await copyInto(client, 'incoming_resources', NAMES.join(', '), writer.end());
  writer.release();
  const insert = async (rest: string, ...values: readonly unknown[]) => {
    const result = await client.query<{ keys: string | null; version: string | null }>(
      // Parsing one text is faster than parsing many rows.
      `with created as (${insertSql(NAMES, 'incoming_resources', rest)} returning r.id, r.key, r.xmin)
       select string_agg(key::text, ',' order by id) as keys, (array_agg(xmin))[1]::text as version from created`,
      [tenantId, ...values],
    );
    const { keys, version } = onlyRow(result);
    return { keys: keys?.split(',').map(Number) ?? [], version };
  };
  return {
    rows: () => 'incoming_resources',
    values: () => [],
    insertAll: () => insert(''),
    insertMissing: (missing) =>
      insert(
        `and i.id = any($2::uuid[]) ${UNLESS_EXISTS}`,
        missing.map(({ id }) => hexOf(id)),
      ),
  };
}

/** For a cluster: COPY and temporary tables reach only the coordinator. Each statement sends the rows that it needs. */
function sendAsParameter(
  client: Queryable,
  tenantId: string,
  resources: readonly ResourceReference[],
): IncomingResources {
  const rows = (parameter: number) =>
    `(select * from json_to_recordset($${parameter}::json) as i (key bigint, ${TYPES.replace('labels text', 'labels text[]')}))`;
  const insert = async (created: readonly ResourceReference[], rest: string) => {
    const keys = await nextKeys(client, 'resources', created.length);
    const { rows: inserted } = await client.query<{ key: number; version: string }>(
      `${insertSql(['key', ...NAMES], rows(2), rest)} returning r.key::float8, r.xmin::text as version`,
      [tenantId, jsonOf(created, keys)],
    );
    // The keys have the order of the ids.
    const sorted = inserted.map(({ key }) => key).sort((a, b) => a - b);
    return { keys: sorted, version: inserted[0]?.version ?? null };
  };
  return {
    rows,
    values: (some) => [jsonOf(some)],
    insertAll: () => insert(resources, ''),
    insertMissing: (missing) => insert(missing, UNLESS_EXISTS),
  };
}

function jsonOf(resources: readonly ResourceReference[], keys: readonly number[] = []): string {
  return JSON.stringify(
    resources.map(({ id, providerId, uid, attributes, time, uidPattern }, at) => ({
      ...attributes,
      uid,
      key: keys[at],
      id: hexOf(id),
      provider_id: providerId,
      seen_at: new Date(time).toISOString(),
      uid_pattern: uidPattern,
    })),
  );
}
