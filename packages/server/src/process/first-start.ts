import type pg from 'pg';
import { v7 as uuidv7 } from 'uuid';
import { PERMISSIONS } from '../auth/permissions.ts';
import { addKey, addTenant, addUser } from '../auth/provisioning.ts';
import { createPool, type Database, openClient, SCHEMA } from '../db/connect.ts';
import { asTenant } from '../db/transaction.ts';

/** The tenant, user and API key created on the first start. */
export interface FirstTenant {
  readonly tenantId: string;
  readonly email: string;
  /** Printed once, and stored only as a hash. */
  readonly key: string;
}

const EMAIL = 'admin@localhost';

/**
 * Creates the first tenant of an empty database. Resolves to `undefined` if the database has a tenant, even one without
 * an API key. The check uses the login role of the embedded database, which can read all tenants.
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
