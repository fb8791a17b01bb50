import { z } from 'zod';
import type { Row } from './administration.ts';
import { type Client, createClient } from './client.ts';
import { holdProcessing, type Release } from './held-jobs.ts';
import { createKey, createUser } from './operator.ts';
import { record, without } from './records.ts';
import type { TenantService } from './service.ts';
import { until } from './until.ts';
import { makeEndedWebhook } from './webhook-receiver.ts';

/** Contained in every string of the marked tenant, and in no string of other tenants. */
export const MARK = 'quetzal';
/** Has the same length as the mark, so that response lengths can be compared. */
export const UNMARKED = 'ostrich';
export const IDEMPOTENCY_KEYS = [`${MARK}-1`, `${MARK}-2`] as const;

/** A tenant with data of every type in every state, all of it marked. */
export interface MarkedTenant {
  readonly id: string;
  readonly client: Client;
  /** The files that were uploaded with the idempotency keys. */
  readonly files: readonly [Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>];
  /** Releases the held jobs. */
  readonly release: Release;
}

function finding(number: number, members: Readonly<Record<string, unknown>> = {}) {
  const marked = {
    message: `${MARK} message`,
    status_detail: `${MARK} detail`,
    metadata: {
      event_code: `${MARK}_check_${number % 2}`,
      product: { name: `${MARK} product`, version: `${MARK} version` },
    },
    finding_info: { uid: `${MARK}-finding-${number}`, title: `${MARK} title`, desc: `${MARK} description` },
    cloud: {
      provider: 'aws',
      region: `${MARK}-region`,
      account: { uid: `${MARK}-account`, name: `${MARK} name` },
    },
    resources: [
      {
        uid: `${MARK}-resource`,
        name: `${MARK} resource`,
        type: `${MARK} type`,
        group: { name: `${MARK} service` },
        labels: [`${MARK} label`],
      },
      { uid: `${MARK}-further` },
    ],
    remediation: { desc: `${MARK} remediation`, references: [`https://example.com/${MARK}`] },
    risk_details: `${MARK} risk`,
    unmapped: { categories: [`${MARK} category`], scan_id: `${MARK}-scan` },
  };
  return record({ ...marked, ...members });
}

/**
 * Creates the tenant and its data through the API. The service must have one worker, which holds four frames of
 * different jobs, so that the next job stays pending.
 */
export async function createMarkedTenant(service: TenantService): Promise<MarkedTenant> {
  const { id } = await service.sluiceJson<{ id: string }>('tenant', 'create', `${MARK} tenant`);
  const email = `${MARK}@example.com`;
  await createUser(service, id, email);
  const client = createClient(service.url, await createKey(service, id, email));
  const json = (value: unknown) => new Uint8Array(Buffer.from(JSON.stringify(value)));
  const files = [
    json([
      finding(1),
      finding(2, { status_code: 'PASS', severity_id: MARK, severity: 'Informational' }),
      finding(3, { status_code: 'MANUAL', status_id: 3 }),
      finding(4, { cloud: { provider: MARK, account: { uid: `${MARK}-other` } } }),
      finding(5, { cloud: { provider: 'azure', account: { uid: `${MARK}-deleted` } } }),
    ]),
    json([
      finding(1, { status_code: 'PASS', time: 1_790_000_000 }),
      without('metadata.event_code', finding(6)),
      { class_uid: 1 },
    ]),
  ] as const;
  for (const [at, file] of files.entries()) {
    const headers = { 'idempotency-key': IDEMPOTENCY_KEYS[at] ?? '' };
    await client.ingest(file, {
      fileName: `${MARK}.ocsf.json`,
      headers,
      parts: { provider: MARK, account: MARK },
    });
  }
  // The coverage of a failed upload, and that of a completed one.
  const parts = { coverage: 'account' };
  await client.ingest(`[${JSON.stringify(finding(7))},`, { fileName: `${MARK} cut.ocsf.json`, parts });
  await client.ingest([finding(8, { cloud: { provider: 'aws', account: { uid: `${MARK}-covered` } } })], {
    parts,
  });
  await addAccess(client);
  await makeEndedWebhook(client, {
    url: `https://${MARK}.invalid/${MARK}`,
    description: `${MARK} webhook`,
  });
  await changeProviders(client);
  // Jobs remove these rows at their end.
  await service.ownerSql(`insert into dry_run_parts (tenant_id, ingestion_id, frame, finding_ids, times, states, prior_states, record_indexes,
      record_offsets, provider_types, accounts, account_names)
    select tenant_id, id, 0, '{}', '{}', '{}', '{}', '{}', '{}', '{${MARK}}', '{${MARK}-account}', '{${MARK} name}' from ingestions
    where tenant_id = '${id}' limit 1`);

  // No work may be in progress when the rows are compared.
  await until(async () => (await service.sql('select from provider_removals')).length === 0);
  const release = await holdProcessing(service);
  for (const number of [8, 9, 10, 11, 12]) {
    const { body } = await client.upload([finding(number)], { fileName: `${MARK} ${number}.ocsf.json` });
    if (number === 12) break;
    await until(async () => {
      const { body: now } = await client.get(`/ingestions/${body.data.id}`);
      return now.data.attributes.status === 'processing';
    });
  }
  return { id, client, files: [files[0], files[1]], release };
}

const createdResource = z.object({ data: z.object({ id: z.string() }) });

async function addAccess(client: Client): Promise<void> {
  const make = async (type: string, attributes: object, relationships?: object) => {
    const { body } = await client.document('POST', `/${type}`, {
      type,
      attributes,
      ...(relationships !== undefined && { relationships }),
    });
    return createdResource.parse(body).data.id;
  };
  const role = await make('roles', { name: `${MARK} role`, permissions: ['manage_scans'] });
  const roles = { data: [{ type: 'roles', id: role }] };
  const user = await make('users', { email: `${MARK}-second@example.com` }, { roles });
  const owner = { user: { data: { type: 'users', id: user } } };
  await make('api-keys', { name: `${MARK} key`, permissions: ['manage_scans'] }, owner);
  const revoked = await make('api-keys', { name: `${MARK} revoked`, permissions: ['manage_scans'] }, owner);
  await client.delete(`/api-keys/${revoked}`);
}

async function changeProviders(client: Client): Promise<void> {
  const { body } = await client.get<readonly { id: string; attributes: { type: string } }[]>('/providers');
  for (const { id, attributes } of body.data) {
    if (attributes.type === 'azure') await client.delete(`/providers/${id}`);
    else
      await client.document('PATCH', `/providers/${id}`, {
        type: 'providers',
        id,
        attributes: { alias: `${MARK} ${attributes.type}` },
      });
  }
}

/** Returns all rows of a tenant in all tables as text, to check that nothing has changed. */
export async function rowsOf(
  { sql }: TenantService,
  tenantId: string,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const tables = await tenantTables({ sql });
  const rows = new Map<string, readonly string[]>();
  for (const table of tables) {
    const texts = await sql<Row & { text: string }>(
      `select t::text as text from ${table} t where tenant_id = $1 order by 1`,
      [tenantId],
    );
    rows.set(
      table,
      texts.map(({ text }) => text),
    );
  }
  return rows;
}

/** Returns the tables with tenant rows, according to the catalog. */
async function tenantTables({ sql }: Pick<TenantService, 'sql'>): Promise<readonly string[]> {
  const rows = await sql<Row & { name: string }>(
    `select c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid
     where c.relnamespace = 'sluice'::regnamespace and c.relkind in ('r', 'p', 'v', 'm', 'f')
       and a.attname = 'tenant_id' and not a.attisdropped order by 1`,
  );
  return rows.map(({ name }) => name);
}

/** Returns all IDs in these rows, including the tenant ID. */
export async function idsOf({ sql }: TenantService, tenantId: string): Promise<readonly string[]> {
  const columns = await sql<Row & { table: string; name: string }>(
    `select c.relname as table, a.attname as name from pg_class c join pg_attribute a on a.attrelid = c.oid
     where c.relnamespace = 'sluice'::regnamespace and c.relkind = 'r' and a.atttypid = 'uuid'::regtype
       and exists (select from pg_attribute t where t.attrelid = c.oid and t.attname = 'tenant_id')`,
  );
  const parts = columns.map(
    ({ table, name }) =>
      `select ${name}::text as id from ${table} where tenant_id = $1 and ${name} is not null`,
  );
  return (await sql<Row & { id: string }>(parts.join(' union '), [tenantId])).map(({ id }) => id);
}
