import { v7 as uuidv7 } from 'uuid';
import { z } from 'zod';
import {
  assertMayGrant,
  assertMayRevoke,
  insertUser,
  lockAccess,
  setRoles,
  withLastHolderCheck,
} from '../../auth/access-changes.ts';
import { permissionsAmong } from '../../auth/permissions.ts';
import { recordAuditEvent } from '../../auth/record-audit-event.ts';
import type { Queryable } from '../../db/transaction.ts';
import type { Call } from '../../http/endpoints/endpoint.ts';
import { assertSameId } from '../../http/endpoints/read-document.ts';
import { findExisting } from '../../http/endpoints/resource-type.ts';
import { ApiError, notFound } from '../../jsonapi/errors.ts';
import { findRolesByIds, ROLES } from '../../resources/roles.ts';
import {
  deleteUser,
  isEmailTaken,
  USERS,
  type UserRow,
  updateEmail,
  userResourceType,
  validKeyPrefixes,
} from '../../resources/users.ts';

/** Zod's pattern without the lookahead, which client generators for some languages do not support. */
const EMAIL =
  /^[A-Za-z0-9_'+-]+(?:\.[A-Za-z0-9_'+-]+)*@(?:[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?\.)+[A-Za-z]{2,}$/;

const email = z
  .email({ pattern: EMAIL })
  .max(254)
  .meta({ description: 'Email address. Must be unique in the tenant, regardless of case.' });

const roles = z
  .strictObject({ data: z.array(z.strictObject({ type: z.literal(ROLES), id: z.uuid() })).max(100) })
  .meta({ description: "Complete list of the user's roles. It replaces the current list." });

/** The request document for creating a user. */
export const newUser = z
  .strictObject({
    data: z.strictObject({
      type: z.literal(USERS),
      attributes: z.strictObject({ email }),
      relationships: z.strictObject({ roles: roles.optional() }).optional(),
    }),
  })
  .meta({ id: 'NewUser', description: 'The user to create.' });

/** The request document for updating a user. Absent members remain unchanged. */
export const userChanges = z
  .strictObject({
    data: z.strictObject({
      type: z.literal(USERS),
      id: z.uuid(),
      attributes: z.strictObject({ email: email.optional() }).optional(),
      relationships: z.strictObject({ roles: roles.optional() }).optional(),
    }),
  })
  .meta({ id: 'UserChanges', description: 'Changes to a user. Absent members remain unchanged.' });

export type NewUser = z.infer<typeof newUser>;
export type UserChanges = z.infer<typeof userChanges>;

const ROLES_POINTER = '/data/relationships/roles/data';

/**
 * Creates a user. Throws an ApiError: 409 if the email is already in use, 404 for an unknown role, 403 for a role with
 * permissions that the caller lacks.
 */
export async function createUser(client: Queryable, call: Call, { data }: NewUser): Promise<UserRow> {
  const { tenantId } = call.access;
  const { email } = data.attributes;
  const id = uuidv7();
  await lockAccess(client, tenantId);
  const roles = await grantableRoles(client, call, data.relationships?.roles?.data ?? [], []);
  if (!(await insertUser(client, tenantId, { id, email }))) throw emailTaken(email);
  await setRoles(client, tenantId, id, roles);
  await recordAuditEvent(client, call, {
    action: 'user.created',
    targetType: USERS,
    targetId: id,
    changes: { email, roles },
  });
  return await findExisting(userResourceType, client, tenantId, id);
}

/**
 * Updates a user. Throws the same errors as `createUser`, 403 for a removed role with permissions that the caller
 * lacks, and 409 if the change leaves a permission without a holder.
 */
export async function updateUser(client: Queryable, call: Call, { data }: UserChanges): Promise<UserRow> {
  const { tenantId } = call.access;
  return await withLastHolderCheck(client, tenantId, async () => {
    const { id, role_ids } = await findExisting(userResourceType, client, tenantId, call.params.id);
    assertSameId(data.id, id);
    const email = data.attributes?.email;
    const requested = data.relationships?.roles?.data;
    const changes: Record<string, unknown> = {};
    if (email !== undefined) {
      if (await isEmailTaken(client, tenantId, email, id)) throw emailTaken(email);
      await updateEmail(client, tenantId, id, email);
      changes.email = email;
    }
    if (requested !== undefined) {
      const roles = await grantableRoles(client, call, requested, role_ids);
      await setRoles(client, tenantId, id, roles);
      changes.roles = roles;
    }
    if (Object.keys(changes).length > 0)
      await recordAuditEvent(client, call, {
        action: 'user.updated',
        targetType: USERS,
        targetId: id,
        changes,
      });
    return await findExisting(userResourceType, client, tenantId, id);
  });
}

/**
 * Deletes a user and revokes the user's keys. Throws an ApiError: 403 if the user has permissions that the caller
 * lacks, 409 if the deletion leaves a permission without a holder.
 */
export async function removeUser(client: Queryable, call: Call): Promise<void> {
  const { tenantId } = call.access;
  await withLastHolderCheck(client, tenantId, async () => {
    const { id, email, permissions } = await findExisting(userResourceType, client, tenantId, call.params.id);
    assertMayRevoke(call.access, permissionsAmong(permissions));
    const revoked_keys = await validKeyPrefixes(client, tenantId, id);
    // Record the event before the deletion, because the event contains the email of the acting user, who may be the
    // deleted user.
    await recordAuditEvent(client, call, {
      action: 'user.deleted',
      targetType: USERS,
      targetId: id,
      changes: { email, revoked_keys },
    });
    await deleteUser(client, tenantId, id);
  });
}

/**
 * Returns the distinct ids of the requested roles. The caller must have all permissions of the roles that are added or
 * removed.
 */
async function grantableRoles(
  client: Queryable,
  { access }: Call,
  requested: readonly { readonly id: string }[],
  current: readonly string[],
): Promise<readonly string[]> {
  const ids = requested.map(({ id }) => id.toLowerCase());
  const roles = await findRolesByIds(client, access.tenantId, [...ids, ...current]);
  for (const { permissions } of roles.filter(({ id }) => !ids.includes(id)))
    assertMayRevoke(access, permissionsAmong(permissions), ROLES_POINTER);
  for (const [at, id] of ids.entries()) {
    const pointer = `${ROLES_POINTER}/${at}`;
    const role = roles.find((known) => known.id === id);
    if (role === undefined) throw notFound('No role has this ID.', { pointer });
    if (!current.includes(id)) assertMayGrant(access, permissionsAmong(role.permissions), pointer);
  }
  return [...new Set(ids)];
}

function emailTaken(email: string): ApiError {
  return new ApiError({
    status: 409,
    code: 'email_taken',
    detail: `Another user already has the email ${email}, possibly in different case. Use a different email.`,
    source: { pointer: '/data/attributes/email' },
  });
}
