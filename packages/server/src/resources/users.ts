import { z } from 'zod';
import { deleteKeyPrefixes } from '../auth/api-keys.ts';
import { PERMISSIONS, permissionsAmong } from '../auth/permissions.ts';
import { type SelectedPage, selectPage } from '../db/paging/select-page.ts';
import type { Queryable } from '../db/transaction.ts';
import { utcTimestamp } from '../db/utc-timestamp.ts';
import { includeRelated } from '../http/endpoints/includes.ts';
import type { ResourceType } from '../http/endpoints/resource-type.ts';
import { API_PREFIX } from '../jsonapi/document.ts';
import { type Query, selectFields } from '../jsonapi/query.ts';
import { describeResource, timestamp } from '../jsonapi/schemas.ts';
import { isUuid } from '../jsonapi/uuid.ts';
import { ROLES, roleResourceType } from './roles.ts';

export const USERS = 'users';

export const users = describeResource({
  type: USERS,
  description: 'A person or a program with API keys. Its roles determine its permissions.',
  attributes: {
    email: z.string().meta({ description: 'Email address. Unique in the tenant, regardless of case.' }),
    permissions: z
      .array(z.enum(PERMISSIONS))
      .meta({ description: "Permissions granted by the user's roles." }),
    inserted_at: timestamp.meta({ description: 'Time at which the user was created.' }),
  },
  toMany: { roles: ROLES },
});

/** A user as returned by the API. */
export interface UserRow {
  readonly id: string;
  readonly email: string;
  /** The permissions of all of the user's roles, as stored. */
  readonly permissions: readonly string[];
  readonly role_ids: readonly string[];
  /** In ISO 8601 format with microseconds and `Z`. */
  readonly inserted_at: string;
}

/** Returns the URL of a user. */
export function userUrl(publicUrl: string, id: string): string {
  return `${publicUrl}${API_PREFIX}/${USERS}/${id}`;
}

/** Converts a user to a resource object. */
function userResource(row: UserRow, publicUrl: string, fields?: ReadonlySet<string>) {
  const { id, email, permissions, role_ids, inserted_at } = row;
  const attributes = { email, permissions: permissionsAmong(permissions), inserted_at };
  return {
    type: USERS,
    id,
    attributes: selectFields(attributes, fields),
    relationships: { roles: { data: role_ids.map((roleId) => ({ type: ROLES, id: roleId })) } },
    links: { self: userUrl(publicUrl, id) },
  };
}

const COLUMNS = `u.id, u.email, ${utcTimestamp('u.created_at')} as inserted_at,
  array(select ur.role_id::text from user_roles ur
        where ur.tenant_id = $1 and ur.user_id = u.id order by ur.role_id) as role_ids,
  array(select distinct unnest(r.permissions) from user_roles ur
        join roles r on r.tenant_id = $1 and r.id = ur.role_id
        where ur.tenant_id = $1 and ur.user_id = u.id) as permissions`;

/** Selects a page of users. */
export async function listUsers(
  client: Queryable,
  tenantId: string,
  query: Query,
): Promise<SelectedPage<UserRow>> {
  const source = {
    columns: COLUMNS,
    table: 'users u',
    tenantColumn: 'u.tenant_id',
    tieBreaker: { sql: 'u.id', type: 'uuid', descending: false },
  };
  return await selectPage<UserRow>(client, source, tenantId, query);
}

/** Returns the users with these ids, in any order. Unknown ids are skipped. */
export async function findUsersByIds(
  client: Queryable,
  tenantId: string,
  ids: readonly string[],
): Promise<readonly UserRow[]> {
  const { rows } = await client.query<UserRow>(
    `select ${COLUMNS} from users u where u.tenant_id = $1 and u.id = any($2::uuid[])`,
    [tenantId, ids],
  );
  return rows;
}

/** Whether the tenant has another user with this email (case-insensitive). */
export async function isEmailTaken(
  client: Queryable,
  tenantId: string,
  email: string,
  exceptUserId: string,
): Promise<boolean> {
  const { rowCount } = await client.query(
    'select from users where tenant_id = $1 and lower(email) = lower($2) and id <> $3',
    [tenantId, email, exceptUserId],
  );
  return rowCount !== 0;
}

/** Replaces a user's email, which must not be taken (`isEmailTaken`). */
export async function updateEmail(
  client: Queryable,
  tenantId: string,
  id: string,
  email: string,
): Promise<void> {
  await client.query('update users set email = $3 where tenant_id = $1 and id = $2', [tenantId, id, email]);
}

/** Prefixes of the user's keys that are neither revoked nor expired. */
export async function validKeyPrefixes(
  client: Queryable,
  tenantId: string,
  userId: string,
): Promise<readonly string[]> {
  const { rows } = await client.query<{ prefix: string }>(
    `select prefix from api_keys
     where tenant_id = $1 and user_id = $2 and revoked_at is null and coalesce(expires_at > now(), true)
     order by prefix`,
    [tenantId, userId],
  );
  return rows.map(({ prefix }) => prefix);
}

/** Removes the user and the user's keys. Subsequent requests with these keys are rejected. */
export async function deleteUser(client: Queryable, tenantId: string, id: string): Promise<void> {
  await deleteKeyPrefixes(client, tenantId, id);
  await client.query('delete from users where tenant_id = $1 and id = $2', [tenantId, id]);
}

/** Users. Requires `manage_users`. */
export const userResourceType: ResourceType<UserRow> = {
  resource: users,
  access: { permissions: ['manage_users'] },
  isId: isUuid,
  findByIds: findUsersByIds,
  toResource: userResource,
  notFoundDetail: 'No user has this ID.',
};

/** The values that `include` supports for users. */
export const USER_INCLUDES = { roles: includeRelated(roleResourceType, ({ role_ids }: UserRow) => role_ids) };
