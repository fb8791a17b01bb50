import pg from 'pg';
import { createKey, createTenant, createUser } from './access/administration.ts';
import { PERMISSIONS } from './access/permissions.ts';
import { createPool, type Database, SCHEMA } from './db/connect.ts';

/** What a first start has made for whoever started it. */
export interface Newcomer {
  readonly tenantId: string;
  readonly email: string;
  /** Shown this once. */
  readonly key: string;
}

const EMAIL = 'admin@localhost';

/**
 * On an empty database: a tenant with an active subscription, a user who may do everything and an API key.
 * `undefined` where there is a tenant. The login role of the embedded database sees all tenants.
 */
export async function firstStart(database: Database): Promise<Newcomer | undefined> {
  const owner = new pg.Client({ connectionString: database.url });
  await owner.connect();
  try {
    const { rowCount } = await owner.query(`select from ${SCHEMA}.api_keys limit 1`);
    if (rowCount !== 0) return undefined;
  } finally {
    await owner.end();
  }
  const pool = createPool(database, { applicationName: 'sluice first start', max: 1 });
  // Of a connection that is not in use; any other error is that of the statement.
  pool.on('error', () => undefined);
  try {
    const tenant = await createTenant(pool, 'Default', 'active');
    await createUser(pool, tenant.id, EMAIL, PERMISSIONS);
    const { key } = await createKey(pool, tenant.id, EMAIL, { permissions: undefined, expiresAt: undefined });
    return { tenantId: tenant.id, email: EMAIL, key };
  } finally {
    await pool.end();
  }
}
