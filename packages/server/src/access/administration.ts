import type pg from 'pg';
import { v7 as uuidv7 } from 'uuid';
import { asTenant, type Queryable } from '../db/transaction.ts';
import { OperatorError } from '../operator-error.ts';
import { createApiKey, formatApiKey, hashSecret } from './api-key.ts';
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

export interface CreatedApiKey {
  readonly id: string;
  readonly prefix: string;
  /** The whole key; it is not stored and never shown again. */
  readonly key: string;
  /** ISO 8601, or null for a key without an end. */
  readonly expires_at: string | null;
}

export async function createTenant(pool: pg.Pool, name: string, subscription: Subscription): Promise<Tenant> {
  const id = uuidv7();
  await asTenant(pool, id, (client) =>
    client.query('insert into tenants (tenant_id, name, subscription) values ($1, $2, $3)', [
      id,
      name,
      subscription,
    ]),
  );
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
    const { rowCount } = await client.query(
      'insert into users (tenant_id, id, email) values ($1, $2, $3) on conflict (tenant_id, email) do nothing',
      [tenantId, id, email],
    );
    if (rowCount === 0) throw new OperatorError(`the tenant has a user ${email} already`);
    await grantExactly(client, tenantId, { id, email }, permissions);
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
    const id = await userId(client, tenantId, email);
    await client.query('delete from user_roles where tenant_id = $1 and user_id = $2', [tenantId, id]);
    await grantExactly(client, tenantId, { id, email }, permissions);
    return { id, email, permissions };
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
  const id = uuidv7();
  const key = createApiKey();
  return await inTenant(pool, tenantId, async (client) => {
    await client.query(
      `insert into api_keys (tenant_id, id, user_id, prefix, secret_sha256, permissions, expires_at)
       values ($1, $2, $3, $4, $5, $6, $7)`,
      [
        tenantId,
        id,
        await userId(client, tenantId, email),
        key.prefix,
        hashSecret(key.secret),
        permissions ?? null,
        expiresAt ?? null,
      ],
    );
    return { id, prefix: key.prefix, key: formatApiKey(key), expires_at: expiresAt?.toISOString() ?? null };
  });
}

/** Takes effect with the next request, in every process; revoking twice keeps the first time. */
export async function revokeKey(
  pool: pg.Pool,
  tenantId: string,
  prefix: string,
): Promise<{ prefix: string; revoked_at: string }> {
  return await inTenant(pool, tenantId, async (client) => {
    const { rows } = await client.query<{ revoked_at: Date }>(
      `update api_keys set revoked_at = coalesce(revoked_at, now()) where tenant_id = $1 and prefix = $2 returning revoked_at`,
      [tenantId, prefix],
    );
    const revokedAt = rows[0]?.revoked_at;
    if (revokedAt === undefined)
      throw new OperatorError(`the tenant has no API key with the prefix ${prefix}`);
    return { prefix, revoked_at: revokedAt.toISOString() };
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

async function userId(client: Queryable, tenantId: string, email: string): Promise<string> {
  const { rows } = await client.query<{ id: string }>(
    'select id from users where tenant_id = $1 and email = $2',
    [tenantId, email],
  );
  const id = rows[0]?.id;
  if (id === undefined) throw new OperatorError(`the tenant has no user ${email}`);
  return id;
}

async function grantExactly(
  client: Queryable,
  tenantId: string,
  user: { readonly id: string; readonly email: string },
  permissions: readonly Permission[],
): Promise<void> {
  await client.query(
    `with role as (
       insert into roles (tenant_id, id, name, permissions) values ($1, $2, $3, $4)
       on conflict (tenant_id, name) do update set permissions = excluded.permissions
       returning id
     )
     insert into user_roles (tenant_id, user_id, role_id) select $1, $5, id from role`,
    [tenantId, uuidv7(), `Permissions of ${user.email}`, permissions, user.id],
  );
}
