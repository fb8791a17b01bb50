import { z } from 'zod';
import { assertMayGrant, lockAccess } from '../../auth/access-changes.ts';
import { type IssuedKey, issueKey } from '../../auth/api-keys.ts';
import { PERMISSIONS, type Permission, permissionsAmong } from '../../auth/permissions.ts';
import { recordAuditEvent } from '../../auth/record-audit-event.ts';
import type { Queryable } from '../../db/transaction.ts';
import type { Call } from '../../http/endpoints/endpoint.ts';
import { ApiError, badRequest, notFound } from '../../jsonapi/errors.ts';
import { shortText } from '../../jsonapi/schemas.ts';
import { findUsersByIds, USERS } from '../../resources/users.ts';
import { API_KEYS, findApiKeysByIds } from './resource.ts';

/** The latest time with a four-digit year in UTC, in milliseconds. */
const LAST_TIME = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

const expiry = z.iso
  .datetime({ offset: true })
  .refine((text) => Date.parse(text) > Date.now(), 'Use a time in the future.')
  .refine((text) => Date.parse(text) <= LAST_TIME, 'Use a time before the year 10000.');

/** The request document for creating an API key. */
export const newApiKey = z
  .strictObject({
    data: z.strictObject({
      type: z.literal(API_KEYS),
      attributes: z.strictObject({
        name: shortText().meta({ description: 'Name that describes the purpose of the key.' }),
        permissions: z.array(z.enum(PERMISSIONS)).optional().meta({
          description:
            "Permissions that the key is restricted to. By default, a key that an unrestricted key creates for its own user has all permissions of that user. Any other new key has the permissions that the creating key shares with the new key's user.",
        }),
        expires_at: expiry.nullish().meta({
          description: 'Expiration time with a UTC offset, in the future. By default, the key never expires.',
        }),
      }),
      relationships: z
        .strictObject({
          user: z
            .strictObject({ data: z.strictObject({ type: z.literal(USERS), id: z.uuid() }) })
            .optional()
            .meta({
              description:
                "User that the key belongs to. Defaults to the creating key's user; any other user requires `manage_users`.",
            }),
        })
        .optional(),
    }),
  })
  .meta({ id: 'NewApiKey', description: 'The API key to create.' });

export type NewApiKey = z.infer<typeof newApiKey>;

const USER_POINTER = '/data/relationships/user/data';
const PERMISSIONS_POINTER = '/data/attributes/permissions';

/**
 * Creates a key that never has more permissions than the key that creates it. Throws an ApiError: 403 for permissions
 * that the creating key lacks, 400 for permissions that the new key's user lacks, 404 for an unknown user.
 */
export async function createKey(client: Queryable, call: Call, { data }: NewApiKey): Promise<IssuedKey> {
  const { tenantId, userId, permissions: own } = call.access;
  const { name, permissions: requested, expires_at } = data.attributes;
  const ownerId = data.relationships?.user?.data.id.toLowerCase() ?? userId;
  if (ownerId !== userId && !own.has('manage_users')) throw otherUserDenied();
  await lockAccess(client, tenantId);
  const ownersPermissions = await permissionsOf(client, tenantId, ownerId);
  const permissions =
    requested === undefined
      ? await defaultPermissions(client, call, ownerId, ownersPermissions)
      : restrictedTo(call, permissionsAmong(requested), ownersPermissions);
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

async function permissionsOf(
  client: Queryable,
  tenantId: string,
  userId: string,
): Promise<readonly Permission[]> {
  const [user] = await findUsersByIds(client, tenantId, [userId]);
  if (user !== undefined) return permissionsAmong(user.permissions);
  throw notFound('No user has this ID.', { pointer: USER_POINTER });
}

/**
 * Returns the default permissions of a new key. If an unrestricted key creates it for its own user, the new key is
 * unrestricted. Otherwise, it has the current permissions that the creating key shares with the new key's user.
 */
async function defaultPermissions(
  client: Queryable,
  { access }: Call,
  ownerId: string,
  ownersPermissions: readonly Permission[],
): Promise<readonly Permission[] | null> {
  const [creator] = await findApiKeysByIds(client, access.tenantId, [access.keyId]);
  const isRestricted = creator?.permissions !== null;
  if (!isRestricted && ownerId === access.userId) return null;
  return ownersPermissions.filter((permission) => access.permissions.has(permission));
}

function restrictedTo(
  { access }: Call,
  requested: readonly Permission[],
  ownersPermissions: readonly Permission[],
): readonly Permission[] {
  assertMayGrant(access, requested, PERMISSIONS_POINTER);
  const missing = requested.filter((permission) => !ownersPermissions.includes(permission));
  if (missing.length === 0) return requested;
  throw badRequest(
    'invalid_permissions',
    `The key's user lacks ${missing.join(', ')}. Assign the user a role that has ${missing.length === 1 ? 'it' : 'them'}, or omit ${missing.length === 1 ? 'it' : 'them'}.`,
    { pointer: PERMISSIONS_POINTER },
  );
}

function otherUserDenied(): ApiError {
  return new ApiError({
    status: 403,
    code: 'permission_denied',
    detail:
      'Creating a key for another user also requires the permission manage_users. Omit the user to create a key for yourself.',
    source: { pointer: USER_POINTER },
  });
}
