import { assertMayGrant } from '../../access/assert-may-change.ts';
import { type IssuedKey, issueKey } from '../../access/issued-keys.ts';
import { lockAccess } from '../../access/lock-access.ts';
import { type Permission, permissionsAmong } from '../../access/permissions.ts';
import type { Call } from '../../api/endpoint.ts';
import type { Queryable } from '../../db/transaction.ts';
import { ApiError, badRequest } from '../../jsonapi/errors.ts';
import { recordAuditEvent } from '../audit-events/record-audit-event.ts';
import { findUsersByIds } from '../users/repository.ts';
import type { NewApiKey } from './key-document.ts';
import { findApiKeysByIds } from './repository.ts';
import { API_KEYS } from './resource.ts';

const USER_POINTER = '/data/relationships/user/data';
const PERMISSIONS_POINTER = '/data/attributes/permissions';

/**
 * Makes a key that may, now and later, no more than the key that asks for it. Throws an ApiError: 403 for what the
 * asking key lacks, 400 for what the new key's user lacks, 404 for an unknown user.
 */
export async function createKey(client: Queryable, call: Call, { data }: NewApiKey): Promise<IssuedKey> {
  const { tenantId, userId, permissions: own } = call.access;
  const { name, permissions: wanted, expires_at } = data.attributes;
  const ownerId = data.relationships?.user?.data.id.toLowerCase() ?? userId;
  if (ownerId !== userId && !own.has('manage_users')) throw otherUserDenied();
  await lockAccess(client, tenantId);
  const ownersPermissions = await permissionsOf(client, tenantId, ownerId);
  const permissions =
    wanted === undefined
      ? await defaultPermissions(client, call, ownerId, ownersPermissions)
      : narrowedTo(call, permissionsAmong(wanted), ownersPermissions);
  const expiresAt = expires_at == null ? null : new Date(expires_at);
  const issued = await issueKey(client, tenantId, { userId: ownerId, name, permissions, expiresAt });
  await recordAuditEvent(client, call, {
    action: 'api_key.created',
    targetType: API_KEYS,
    targetId: issued.id,
    changes: {
      prefix: issued.prefix,
      name,
      user: ownerId,
      permissions,
      expires_at: expiresAt?.toISOString() ?? null,
    },
  });
  return issued;
}

function narrowedTo(
  { access }: Call,
  wanted: readonly Permission[],
  ownersPermissions: readonly Permission[],
): readonly Permission[] {
  assertMayGrant(access, wanted, PERMISSIONS_POINTER);
  const beyond = wanted.filter((permission) => !ownersPermissions.includes(permission));
  if (beyond.length === 0) return wanted;
  throw badRequest(
    'invalid_permissions',
    `${PERMISSIONS_POINTER}: the user of the key lacks ${beyond.join(', ')}; give the user a role with it first, or leave it out`,
    { pointer: PERMISSIONS_POINTER },
  );
}

/** A key of oneself grows with its user, unless the one that asks does not; any other is bound to what both may now. */
async function defaultPermissions(
  client: Queryable,
  { access }: Call,
  ownerId: string,
  ownersPermissions: readonly Permission[],
): Promise<readonly Permission[] | null> {
  const [asking] = await findApiKeysByIds(client, access.tenantId, [access.keyId]);
  const isNarrowed = asking?.permissions !== null;
  if (!isNarrowed && ownerId === access.userId) return null;
  return ownersPermissions.filter((permission) => access.permissions.has(permission));
}

async function permissionsOf(
  client: Queryable,
  tenantId: string,
  userId: string,
): Promise<readonly Permission[]> {
  const [user] = await findUsersByIds(client, tenantId, [userId]);
  if (user !== undefined) return permissionsAmong(user.permissions);
  throw new ApiError({
    status: 404,
    code: 'not_found',
    detail: `There is no user ${userId}`,
    source: { pointer: USER_POINTER },
  });
}

function otherUserDenied(): ApiError {
  return new ApiError({
    status: 403,
    code: 'permission_denied',
    detail:
      'A key for another user needs the permission manage_users as well; leave the user out for a key of your own',
    source: { pointer: USER_POINTER },
  });
}
