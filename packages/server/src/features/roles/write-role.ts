import { z } from 'zod';
import {
  assertMayGrant,
  assertMayRevoke,
  lockAccess,
  withLastHolderCheck,
} from '../../auth/access-changes.ts';
import { PERMISSIONS, permissionsAmong } from '../../auth/permissions.ts';
import { recordAuditEvent } from '../../auth/record-audit-event.ts';
import type { Queryable } from '../../db/transaction.ts';
import type { Call } from '../../http/endpoints/endpoint.ts';
import { assertSameId } from '../../http/endpoints/read-document.ts';
import { findExisting } from '../../http/endpoints/resource-type.ts';
import { ApiError } from '../../jsonapi/errors.ts';
import { shortText } from '../../jsonapi/schemas.ts';
import {
  deleteRole,
  insertRole,
  isNameTaken,
  ROLES,
  type RoleRow,
  roleResourceType,
  updateRoleRow,
} from '../../resources/roles.ts';

const name = shortText().meta({ description: 'Name of the role. Unique in the tenant.' });
const permissions = z
  .array(z.enum(PERMISSIONS))
  .meta({ description: 'Permissions of the role. The API key must have all of them.' });

/** The request document for creating a role. */
export const newRole = z
  .strictObject({
    data: z.strictObject({
      type: z.literal(ROLES),
      attributes: z.strictObject({ name, permissions }),
    }),
  })
  .meta({ id: 'NewRole', description: 'The role to create.' });

/** The request document for updating a role. Absent members remain unchanged. */
export const roleChanges = z
  .strictObject({
    data: z.strictObject({
      type: z.literal(ROLES),
      id: z.uuid(),
      attributes: z.strictObject({ name: name.optional(), permissions: permissions.optional() }).optional(),
    }),
  })
  .meta({ id: 'RoleChanges', description: 'Changes to a role. Absent members remain unchanged.' });

export type NewRole = z.infer<typeof newRole>;
export type RoleChanges = z.infer<typeof roleChanges>;

const PERMISSIONS_POINTER = '/data/attributes/permissions';

/**
 * Creates a role. Throws an ApiError: 403 for a permission that the caller lacks, 409 if the name is already in use.
 */
export async function createRole(client: Queryable, call: Call, { data }: NewRole): Promise<RoleRow> {
  const { tenantId } = call.access;
  const { name } = data.attributes;
  const permissions = permissionsAmong(data.attributes.permissions);
  assertMayGrant(call.access, permissions, PERMISSIONS_POINTER);
  await lockAccess(client, tenantId);
  const id = await insertRole(client, tenantId, name, permissions);
  if (id === undefined) throw nameTaken(name);
  await recordAuditEvent(client, call, {
    action: 'role.created',
    targetType: ROLES,
    targetId: id,
    changes: { name, permissions },
  });
  return await findExisting(roleResourceType, client, tenantId, id);
}

/**
 * Updates a role. Throws the same errors as `createRole`, and 409 if the change leaves a permission without a holder.
 */
export async function updateRole(client: Queryable, call: Call, { data }: RoleChanges): Promise<RoleRow> {
  const { tenantId } = call.access;
  return await withLastHolderCheck(client, tenantId, async () => {
    const role = await findExisting(roleResourceType, client, tenantId, call.params.id);
    assertSameId(data.id, role.id);
    const name = data.attributes?.name;
    const requested = data.attributes?.permissions;
    const permissions = requested === undefined ? undefined : permissionsAmong(requested);
    if (name === undefined && permissions === undefined) return role;
    if (name !== undefined && (await isNameTaken(client, tenantId, name, role.id))) throw nameTaken(name);
    const current = permissionsAmong(role.permissions);
    const added = permissions?.filter((permission) => !current.includes(permission)) ?? [];
    const removed = current.filter((permission) => permissions?.includes(permission) === false);
    assertMayGrant(call.access, added, PERMISSIONS_POINTER);
    assertMayRevoke(call.access, removed, PERMISSIONS_POINTER);
    const { id } = role;
    await updateRoleRow(client, tenantId, id, {
      name: name ?? role.name,
      permissions: permissions ?? role.permissions,
    });
    await recordAuditEvent(client, call, {
      action: 'role.updated',
      targetType: ROLES,
      targetId: id,
      changes: { ...(name !== undefined && { name }), ...(permissions !== undefined && { permissions }) },
    });
    return await findExisting(roleResourceType, client, tenantId, id);
  });
}

/** Deletes a role. Throws an ApiError (409) if it is assigned to users. */
export async function removeRole(client: Queryable, call: Call): Promise<void> {
  const { tenantId } = call.access;
  await lockAccess(client, tenantId);
  const { id, name, users } = await findExisting(roleResourceType, client, tenantId, call.params.id);
  if (users > 0) {
    throw new ApiError({
      status: 409,
      code: 'role_in_use',
      detail: `The role is assigned to ${users.toLocaleString('en')} ${users === 1 ? 'user' : 'users'}. Unassign it first; GET /api/v1/users?filter[role]=${id} lists its users.`,
      meta: { users },
    });
  }
  await deleteRole(client, tenantId, id);
  await recordAuditEvent(client, call, {
    action: 'role.deleted',
    targetType: ROLES,
    targetId: id,
    changes: { name },
  });
}

function nameTaken(name: string): ApiError {
  return new ApiError({
    status: 409,
    code: 'name_taken',
    detail: `Another role already has the name '${name}'. Choose a different name.`,
    source: { pointer: '/data/attributes/name' },
  });
}
