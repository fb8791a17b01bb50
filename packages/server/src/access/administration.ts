import type pg from 'pg';
import { v7 as uuidv7 } from 'uuid';
import { asTenant, type Queryable } from '../db/transaction.ts';
import { recordOperatorEvent } from '../features/audit-events/record-audit-event.ts';
import { OperatorError } from '../operator-error.ts';
import { grantExactly } from './granted-roles.ts';
import { insertUser } from './insert-user.ts';
import { type IssuedKey, issueKey, revokeKey as revoke } from './issued-keys.ts';
import { lockAccess } from './lock-access.ts';
import type { Permission } from './permissions.ts';

export type Subscription = 'active' | 'none';

export interface Tenant {
  readonly id: string;
  readonly name: string;
  readonly subscription: Subscription;
}

export interface User {
  readonly id: string;
  readonly email: string;
  readonly permissions: readonly Permission[];
}

export interface CreatedApiKey extends IssuedKey {
  /** ISO 8601, or null for a key without an end. */
  readonly expires_at: string | null;
}

export async function createTenant(pool: pg.Pool, name: string, subscription: Subscription): Promise<Tenant> {
  const id = uuidv7();
  await asTenant(pool, id, async (client) => {
    await client.query('insert into tenants (tenant_id, name, subscription) values ($1, $2, $3)', [
      id,
      name,
      subscription,
    ]);
    await recordOperatorEvent(client, id, {
      action: 'tenant.created',
      targetType: 'tenants',
      targetId: id,
      changes: { name, subscription },
    });
  });
  return { id, name, subscription };
}

export async function setSubscription(
  pool: pg.Pool,
  tenantId: string,
  subscription: Subscription,
): Promise<Tenant> {
  return await inTenant(pool, tenantId, async (client) => {
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

/** A user with one role of its own that has exactly these permissions. */
export async function createUser(
  pool: pg.Pool,
  tenantId: string,
  email: string,
  permissions: readonly Permission[],
): Promise<User> {
  const id = uuidv7();
  return await inTenant(pool, tenantId, async (client) => {
    await lockAccess(client, tenantId);
    if (!(await insertUser(client, tenantId, { id, email })))
      throw new OperatorError(`the tenant has a user ${email} already`);
    await grantExactly(client, tenantId, { id, email }, permissions);
    await recordOperatorEvent(client, tenantId, {
      action: 'user.created',
      targetType: 'users',
      targetId: id,
      changes: { email, permissions },
    });
    return { id, email, permissions };
  });
}

/** Replaces all roles of the user by one that has exactly these permissions. */
export async function setPermissions(
  pool: pg.Pool,
  tenantId: string,
  email: string,
  permissions: readonly Permission[],
): Promise<User> {
  return await inTenant(pool, tenantId, async (client) => {
    await lockAccess(client, tenantId);
    const user = await namedUser(client, tenantId, email);
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

export async function createKey(
  pool: pg.Pool,
  tenantId: string,
  email: string,
  {
    permissions,
    expiresAt,
  }: { readonly permissions: readonly Permission[] | undefined; readonly expiresAt: Date | undefined },
): Promise<CreatedApiKey> {
  return await inTenant(pool, tenantId, async (client) => {
    const { id: userId } = await namedUser(client, tenantId, email);
    const expires_at = expiresAt?.toISOString() ?? null;
    const issued = await issueKey(client, tenantId, {
      userId,
      name: null,
      permissions: permissions ?? null,
      expiresAt: expiresAt ?? null,
    });
    await recordOperatorEvent(client, tenantId, {
      action: 'api_key.created',
      targetType: 'api-keys',
      targetId: issued.id,
      changes: { prefix: issued.prefix, user: userId, permissions: permissions ?? null, expires_at },
    });
    return { ...issued, expires_at };
  });
}

/** Takes effect with the next request, in every process; revoking twice keeps the first time. */
export async function revokeKey(
  pool: pg.Pool,
  tenantId: string,
  prefix: string,
): Promise<{ prefix: string; revoked_at: string }> {
  return await inTenant(pool, tenantId, async (client) => {
    const revoked = await revoke(client, tenantId, { prefix });
    if (revoked === undefined) throw new OperatorError(`the tenant has no API key with the prefix ${prefix}`);
    if (revoked.is_news) {
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

/** As `asTenant`, for a tenant that an operator named: it has to exist. */
export async function inTenant<Result>(
  pool: pg.Pool,
  tenantId: string,
  work: (client: Queryable) => Promise<Result>,
): Promise<Result> {
  return await asTenant(pool, tenantId, async (client) => {
    const { rowCount } = await client.query('select from tenants where tenant_id = $1', [tenantId]);
    if (rowCount === 0) throw new OperatorError(`there is no tenant ${tenantId}`);
    return await work(client);
  });
}

async function namedUser(
  client: Queryable,
  tenantId: string,
  email: string,
): Promise<{ readonly id: string; readonly email: string }> {
  const { rows } = await client.query<{ id: string; email: string }>(
    'select id, email from users where tenant_id = $1 and lower(email) = lower($2)',
    [tenantId, email],
  );
  const [user] = rows;
  if (user === undefined) throw new OperatorError(`the tenant has no user ${email}`);
  return user;
}
