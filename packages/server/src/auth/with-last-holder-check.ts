import type { Queryable } from '../db/transaction.ts';
import { ApiError } from '../jsonapi/errors.ts';
import { lockAccess } from './lock-access.ts';
import { type Permission, permissionsAmong } from './permissions.ts';

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
     from user_roles ur join roles r on r.tenant_id = ur.tenant_id and r.id = ur.role_id
     where ur.tenant_id = $1`,
    [tenantId],
  );
  return permissionsAmong(rows.map(({ permission }) => permission));
}
