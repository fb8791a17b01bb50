import type pg from 'pg';
import { v7 as uuidv7 } from 'uuid';
import { asTenant, type Queryable } from '../db/transaction.ts';
import { OperatorError } from '../lib/errors.ts';
import { grantExactly, lockAccess } from './access-changes.ts';
import { revokeKey as revoke } from './api-keys.ts';
import type { Permission } from './permissions.ts';
import {
  addKey,
  addTenant,
  addUser,
  type CreatedApiKey,
  findUserByEmail,
  type KeyOptions,
  type Subscription,
  type Tenant,
  type User,
} from './provisioning.ts';
import { recordOperatorEvent } from './record-audit-event.ts';

/** Creates a tenant without users. */
export async function createTenant(pool: pg.Pool, name: string, subscription: Subscription): Promise<Tenant> {
  const id = uuidv7();
  return await asTenant(pool, id, (client) => addTenant(client, id, name, subscription));
}

/** Changes the subscription of a tenant. */
export async function setSubscription(
  pool: pg.Pool,
  tenantId: string,
  subscription: Subscription,
): Promise<Tenant> {
  return await asExistingTenant(pool, tenantId, async (client) => {
    const { rows } = await client.query<{ name: string }>(
      'update tenants set subscription = $2 where tenant_id = $1 returning name',
      [tenantId, subscription],
    );
    await recordOperatorEvent(client, tenantId, {
      action: 'subscription.updated',
      targetType: 'tenants',
      targetId: tenantId,
      changes: { subscription },
    });
    return { id: tenantId, name: rows[0]?.name ?? '', subscription };
  });
}

/** Creates a user with a single role that has exactly these permissions. */
export async function createUser(
  pool: pg.Pool,
  tenantId: string,
  email: string,
  permissions: readonly Permission[],
): Promise<User> {
  return await asExistingTenant(pool, tenantId, (client) => addUser(client, tenantId, email, permissions));
}

/** Replaces the user's roles with a single role that has exactly these permissions. */
export async function setPermissions(
  pool: pg.Pool,
  tenantId: string,
  email: string,
  permissions: readonly Permission[],
): Promise<User> {
  return await asExistingTenant(pool, tenantId, async (client) => {
    await lockAccess(client, tenantId);
    const user = await findUserByEmail(client, tenantId, email);
    await grantExactly(client, tenantId, user, permissions);
    await recordOperatorEvent(client, tenantId, {
      action: 'user.updated',
      targetType: 'users',
      targetId: user.id,
      changes: { permissions },
    });
    return { ...user, permissions };
  });
}

/** Creates an API key for the user with this email. */
export async function createKey(
  pool: pg.Pool,
  tenantId: string,
  email: string,
  options: KeyOptions,
): Promise<CreatedApiKey> {
  return await asExistingTenant(pool, tenantId, (client) => addKey(client, tenantId, email, options));
}

/**
 * Revokes the key with this prefix. All processes reject subsequent requests with the key. Revoking a key again does
 * not change its revocation time.
 */
export async function revokeKey(
  pool: pg.Pool,
  tenantId: string,
  prefix: string,
): Promise<{ prefix: string; revoked_at: string }> {
  return await asExistingTenant(pool, tenantId, async (client) => {
    const revoked = await revoke(client, tenantId, { prefix });
    if (revoked === undefined) throw new OperatorError(`the tenant has no API key with the prefix ${prefix}`);
    if (revoked.is_newly_revoked) {
      await recordOperatorEvent(client, tenantId, {
        action: 'api_key.revoked',
        targetType: 'api-keys',
        targetId: revoked.id,
        changes: { prefix },
      });
    }
    return { prefix, revoked_at: revoked.revoked_at.toISOString() };
  });
}

/** Like `asTenant`, but throws an OperatorError if the tenant does not exist. */
export async function asExistingTenant<Result>(
  pool: pg.Pool,
  tenantId: string,
  work: (client: Queryable) => Promise<Result>,
): Promise<Result> {
  return await asTenant(pool, tenantId, async (client) => {
    const { rowCount } = await client.query('select from tenants where tenant_id = $1', [tenantId]);
    if (rowCount === 0) throw new OperatorError(`tenant ${tenantId} does not exist`);
    return await work(client);
  });
}
