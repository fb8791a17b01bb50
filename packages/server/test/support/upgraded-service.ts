import { type Service, startService, type TenantService } from './service.ts';

/** A service whose database has the layout of an upgraded database, with a tenant. */
export interface UpgradedService extends TenantService {
  /** The database URL of the superuser. */
  readonly databaseUrl: string;
  /** Stops the service, drops its database and removes its data. */
  readonly leave: () => Promise<void>;
  /**
   * Restarts the service without workers. The tenant's data is then that of an upgraded database that no worker has
   * backfilled: findings have no keys, no other table refers to them, and their frames have not been read again.
   */
  readonly forgetKeys: () => Promise<UpgradedService>;
  /** Restarts the service with workers, which backfill findings. */
  readonly restartWithWorkers: () => Promise<UpgradedService>;
}

const FORGOTTEN = ['check_key', 'facet_key', 'resource_key', 'scan_id'];
const REPLACED = ['replaced_record', 'replaced_code', 'replaced_facet', 'replaced'];
const NEW_TABLES = [
  'finding_totals',
  'finding_total_changes',
  'finding_resources',
  'finding_facets',
  'resources',
];

/** Starts a service whose workers also write the columns of the previous release. */
export async function startUpgradedService(): Promise<UpgradedService> {
  const { key, tenantId, dataDir, sql, end } = await startService();
  await sql('call use_previous_layout(); call queue_rereads()');
  await end();
  return describeService(await startService({}, dataDir), { key, tenantId });
}

function describeService(service: Service, tenant: Pick<TenantService, 'key' | 'tenantId'>): UpgradedService {
  const restart = async (...args: string[]) =>
    describeService(await startService({}, service.dataDir, args), tenant);
  return {
    ...service,
    ...tenant,
    leave: service.remove,
    forgetKeys: async () => {
      await service.end();
      await forgetKeys(service, tenant.tenantId);
      return await restart('--role', 'api');
    },
    restartWithWorkers: async () => {
      await service.end();
      return await restart();
    },
  };
}

async function forgetKeys(service: Service, tenantId: string): Promise<void> {
  const client = await service.connect();
  try {
    // Triggers would set the keys again.
    await client.query('set session_replication_role = replica');
    const columns = [...FORGOTTEN, ...REPLACED].map((column) => `${column} = null`);
    await client.query(`update findings set ${columns.join(', ')} where tenant_id = $1`, [tenantId]);
    for (const table of NEW_TABLES)
      await client.query(`delete from ${table} where tenant_id = $1`, [tenantId]);
    await client.query('insert into finding_backfills (tenant_id) values ($1)', [tenantId]);
    await client.query(`update checks set compliance = '{}' where tenant_id = $1`, [tenantId]);
    await client.query(
      `with frames as (update frames set extract_bytes = null where tenant_id = $1 returning tenant_id, ingestion_id, number)
       insert into reread_queue select * from frames on conflict do nothing`,
      [tenantId],
    );
  } finally {
    await client.end();
  }
}
