import type { Queryable } from '../db/transaction.ts';
import { ApiError } from '../jsonapi/errors.ts';
import { lockAccess } from './lock-access.ts';
import { type Permission, permissionsAmong } from './permissions.ts';

/** Without a user who has these, nobody in the tenant could give anybody access again. */
const GUARDED: readonly Permission[] = ['manage_users', 'manage_account'];

/**
 * Does the work, which takes something from users or roles, alone in the tenant. Throws an ApiError (409), so that the
 * transaction is undone, where it has left no user with a permission that is needed to manage access.
 */
export async function keepManagers<Result>(
  client: Queryable,
  tenantId: string,
  work: () => Promise<Result>,
): Promise<Result> {
  await lockAccess(client, tenantId);
  const before = await heldPermissions(client, tenantId);
  const result = await work();
  const after = await heldPermissions(client, tenantId);
  const lost = GUARDED.filter((permission) => before.includes(permission) && !after.includes(permission));
  if (lost.length === 0) return result;
  throw new ApiError({
    status: 409,
    code: 'last_manager',
    title: 'The last who may manage access',
    detail: `No user would have the permission ${lost.join(' and ')} any more; give it to another user first`,
  });
}

/** What at least one user of the tenant has. */
async function heldPermissions(client: Queryable, tenantId: string): Promise<readonly Permission[]> {
  const { rows } = await client.query<{ permission: string }>(
    `select distinct unnest(r.permissions) as permission
     from user_roles ur join roles r on r.tenant_id = ur.tenant_id and r.id = ur.role_id
     where ur.tenant_id = $1`,
    [tenantId],
  );
  return permissionsAmong(rows.map(({ permission }) => permission));
}
