import { v7 as uuidv7 } from 'uuid';
import type { Queryable } from '../db/transaction.ts';
import { ApiError } from '../jsonapi/errors.ts';
import { type Access, type Permission, permissionsAmong } from './permissions.ts';

/**
 * Serializes the transactions that change a tenant's users, roles and keys, so that each transaction sees the changes
 * of the previous one. Does not block uploads, which only reference the tenant.
 */
export async function lockAccess(client: Queryable, tenantId: string): Promise<void> {
  await client.query('select from tenants where tenant_id = $1 for no key update', [tenantId]);
}

/** Inserts a user without roles. Returns `false` if the tenant already has a user with this email, in any case. */
export async function insertUser(
  client: Queryable,
  tenantId: string,
  { id, email }: { readonly id: string; readonly email: string },
): Promise<boolean> {
  const { rowCount } = await client.query(
    'insert into users (tenant_id, id, email) values ($1, $2, $3) on conflict (tenant_id, lower(email)) do nothing',
    [tenantId, id, email],
  );
  return rowCount === 1;
}

/** Replaces the user's roles. */
export async function setRoles(
  client: Queryable,
  tenantId: string,
  userId: string,
  roleIds: readonly string[],
): Promise<void> {
  await client.query(
    'delete from user_roles where tenant_id = $1 and user_id = $2 and role_id <> all($3::uuid[])',
    [tenantId, userId, roleIds],
  );
  await client.query(
    `insert into user_roles (tenant_id, user_id, role_id) select t.tenant_id, $2::uuid, w.role_id
     from tenants t cross join unnest($3::uuid[]) as w (role_id) where t.tenant_id = $1
     on conflict do nothing`,
    [tenantId, userId, roleIds],
  );
}

/**
 * Replaces the user's roles with a single role that has exactly these permissions and is not assigned to any other
 * user.
 */
export async function grantExactly(
  client: Queryable,
  tenantId: string,
  user: { readonly id: string; readonly email: string },
  permissions: readonly Permission[],
): Promise<void> {
  // Use the first candidate name that is unused or belongs to a role without other users.
  const chosen = await client.query<{ name: string }>(
    `with candidate as (
       select $2 || case n when 1 then '' else ' (' || n || ')' end as name, n
       from generate_series(1, (select count(*) + 1 from roles where tenant_id = $1)) as n
     )
     select name from candidate c
     where not exists (
       select from roles r join user_roles ur on ur.tenant_id = $1 and ur.role_id = r.id
       where r.tenant_id = $1 and r.name = c.name and ur.user_id <> $3
     )
     order by n limit 1`,
    [tenantId, `Permissions of ${user.email}`, user.id],
  );
  const { rows } = await client.query<{ id: string }>(
    `insert into roles (tenant_id, id, name, permissions) values ($1, $2, $3, $4)
     on conflict (tenant_id, name) do update set permissions = excluded.permissions
     returning id`,
    [tenantId, uuidv7(), chosen.rows[0]?.name, permissions],
  );
  const roleIds = rows.map(({ id }) => id);
  await setRoles(client, tenantId, user.id, roleIds);
}

type Caller = Pick<Access, 'permissions'>;

/**
 * Throws an ApiError (403) if the caller grants permissions that it lacks. `pointer` is the JSON Pointer to the granted
 * permissions in the request.
 */
export function assertMayGrant(caller: Caller, granted: readonly Permission[], pointer: string): void {
  assertHas(caller, granted, 'grant', pointer);
}

/** Throws an ApiError (403) if the caller revokes permissions that it lacks and therefore could not grant again. */
export function assertMayRevoke(caller: Caller, revoked: readonly Permission[], pointer?: string): void {
  assertHas(caller, revoked, 'revoke', pointer);
}

function assertHas(
  { permissions }: Caller,
  changed: readonly Permission[],
  verb: 'grant' | 'revoke',
  pointer: string | undefined,
): void {
  const missing = changed.filter((permission) => !permissions.has(permission));
  if (missing.length === 0) return;
  throw new ApiError({
    status: 403,
    code: 'permission_denied',
    detail: `This API key cannot ${verb} ${missing.join(', ')} because it lacks ${missing.length === 1 ? 'that permission' : 'those permissions'}. Use a key that has ${missing.length === 1 ? 'it' : 'them'}.`,
    ...(pointer !== undefined && { source: { pointer } }),
  });
}

/**
 * Runs work that may revoke permissions, serialized per tenant. Throws an ApiError (409) if the work leaves a
 * permission without a holder, because nobody could grant the permission again. The error rolls back the transaction.
 */
export async function withLastHolderCheck<Result>(
  client: Queryable,
  tenantId: string,
  work: () => Promise<Result>,
): Promise<Result> {
  await lockAccess(client, tenantId);
  const before = await heldPermissions(client, tenantId);
  const result = await work();
  const after = await heldPermissions(client, tenantId);
  const withoutHolder = before.filter((permission) => !after.includes(permission));
  if (withoutHolder.length === 0) return result;
  throw new ApiError({
    status: 409,
    code: 'last_holder',
    detail: `No user would have ${withoutHolder.join(', ')} after this change. Grant ${withoutHolder.length === 1 ? 'it' : 'them'} to another user first.`,
  });
}

/** The permissions that at least one of the tenant's users has. */
async function heldPermissions(client: Queryable, tenantId: string): Promise<readonly Permission[]> {
  const { rows } = await client.query<{ permission: string }>(
    `select distinct unnest(r.permissions) as permission
     from user_roles ur join roles r on r.tenant_id = $1 and r.id = ur.role_id
     where ur.tenant_id = $1`,
    [tenantId],
  );
  return permissionsAmong(rows.map(({ permission }) => permission));
}
