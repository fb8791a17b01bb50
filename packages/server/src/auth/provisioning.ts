import { v7 as uuidv7 } from 'uuid';
import type { Queryable } from '../db/transaction.ts';
import { OperatorError } from '../lib/errors.ts';
import { grantExactly, insertUser, lockAccess } from './access-changes.ts';
import { type IssuedKey, issueKey } from './api-keys.ts';
import type { Permission } from './permissions.ts';
import { recordOperatorEvent } from './record-audit-event.ts';

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
  /** In ISO 8601 format, or null if the key never expires. */
  readonly expires_at: string | null;
}

export interface KeyOptions {
  /** `undefined` if the key has all permissions of its user. */
  readonly permissions: readonly Permission[] | undefined;
  readonly expiresAt: Date | undefined;
}

/** Adds the tenant that the current transaction is scoped to. */
export async function addTenant(
  client: Queryable,
  id: string,
  name: string,
  subscription: Subscription,
): Promise<Tenant> {
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
  return { id, name, subscription };
}

/** Adds a user with a single role that has exactly these permissions and is not assigned to any other user. */
export async function addUser(
  client: Queryable,
  tenantId: string,
  email: string,
  permissions: readonly Permission[],
): Promise<User> {
  const id = uuidv7();
  await lockAccess(client, tenantId);
  if (!(await insertUser(client, tenantId, { id, email })))
    throw new OperatorError(`the tenant already has a user ${email}`);
  await grantExactly(client, tenantId, { id, email }, permissions);
  await recordOperatorEvent(client, tenantId, {
    action: 'user.created',
    targetType: 'users',
    targetId: id,
    changes: { email, permissions },
  });
  return { id, email, permissions };
}

/** Adds an API key for the user with this email. */
export async function addKey(
  client: Queryable,
  tenantId: string,
  email: string,
  { permissions, expiresAt }: KeyOptions,
): Promise<CreatedApiKey> {
  const { id: userId } = await findUserByEmail(client, tenantId, email);
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
}

/** Finds the user with this email (case-insensitive). Throws an OperatorError if there is none. */
export async function findUserByEmail(
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
