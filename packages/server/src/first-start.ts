import type pg from 'pg';
import { v7 as uuidv7 } from 'uuid';
import { PERMISSIONS } from './access/permissions.ts';
import { addKey, addTenant, addUser } from './access/provisioning.ts';
import { createPool, type Database, openClient, SCHEMA } from './db/connect.ts';
import { asTenant } from './db/transaction.ts';

/** What a first start has made for whoever started it. */
export interface FirstTenant {
  readonly tenantId: string;
  readonly email: string;
  /** Shown this once. */
  readonly key: string;
}

const EMAIL = 'admin@localhost';

/**
 * On an empty database: a tenant with an active subscription, a user who may do everything and an API key, all or none
 * of them. `undefined` where there is a tenant, also one without a key: its operator knows the commands. The login role
 * of the embedded database sees all tenants.
 */
export async function firstStart(database: Database): Promise<FirstTenant | undefined> {
  const owner = await openClient(database.url, { applicationName: 'sluice first start' });
  try {
    const { rowCount } = await owner.query(`select from ${SCHEMA}.tenants limit 1`);
    if (rowCount !== 0) return undefined;
  } finally {
    await owner.end();
  }
  const pool = createPool(database, { applicationName: 'sluice first start', max: 1 });
  try {
    return await createFirstTenant(pool);
  } finally {
    await pool.end();
  }
}

/** Creates a tenant with an active subscription, a user with every permission and an API key, in one transaction. */
export async function createFirstTenant(pool: pg.Pool): Promise<FirstTenant> {
  const tenantId = uuidv7();
  const { key } = await asTenant(pool, tenantId, async (client) => {
    await addTenant(client, tenantId, 'Default', 'active');
    await addUser(client, tenantId, EMAIL, PERMISSIONS);
    return await addKey(client, tenantId, EMAIL, { permissions: undefined, expiresAt: undefined });
  });
  return { tenantId, email: EMAIL, key };
}
