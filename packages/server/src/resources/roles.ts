import { v7 as uuidv7 } from 'uuid';
import { z } from 'zod';
import { PERMISSIONS, type Permission, permissionsAmong } from '../auth/permissions.ts';
import { type SelectedPage, selectPage } from '../db/paging/select-page.ts';
import type { Queryable } from '../db/transaction.ts';
import { utcTimestamp } from '../db/utc-timestamp.ts';
import type { ResourceType } from '../http/endpoints/resource-type.ts';
import { API_PREFIX } from '../jsonapi/document.ts';
import { type Query, selectFields } from '../jsonapi/query.ts';
import { describeResource, timestamp } from '../jsonapi/schemas.ts';
import { isUuid } from '../jsonapi/uuid.ts';

export const ROLES = 'roles';

export const roles = describeResource({
  type: ROLES,
  description: 'A named set of permissions that can be assigned to users.',
  attributes: {
    name: z.string().meta({ description: 'Name of the role. Unique in the tenant.' }),
    permissions: z.array(z.enum(PERMISSIONS)).meta({ description: 'Permissions that the role grants.' }),
    users: z.int().min(0).meta({ description: 'Number of users with this role.' }),
    inserted_at: timestamp.meta({ description: 'Time at which the role was created.' }),
  },
});

/** A role as returned by the API. */
export interface RoleRow {
  readonly id: string;
  readonly name: string;
  /** As stored, including permissions that are unknown to this version. */
  readonly permissions: readonly string[];
  /** Number of users with the role. */
  readonly users: number;
  /** In ISO 8601 format with microseconds and `Z`. */
  readonly inserted_at: string;
}

/** Returns the URL of a role. */
export function roleUrl(publicUrl: string, id: string): string {
  return `${publicUrl}${API_PREFIX}/${ROLES}/${id}`;
}

/** Converts a role to a resource object. */
export function roleResource(row: RoleRow, publicUrl: string, fields?: ReadonlySet<string>) {
  const { id, name, permissions, users, inserted_at } = row;
  const attributes = { name, permissions: permissionsAmong(permissions), users, inserted_at };
  return {
    type: ROLES,
    id,
    attributes: selectFields(attributes, fields),
    links: { self: roleUrl(publicUrl, id) },
  };
}

const COLUMNS = `r.id, r.name, r.permissions, ${utcTimestamp('r.created_at')} as inserted_at,
  (select count(*)::float8 from user_roles ur where ur.tenant_id = $1 and ur.role_id = r.id) as users`;

/** Selects a page of roles. */
export async function listRoles(
  client: Queryable,
  tenantId: string,
  query: Query,
): Promise<SelectedPage<RoleRow>> {
  const source = {
    columns: COLUMNS,
    table: 'roles r',
    tenantColumn: 'r.tenant_id',
    tieBreaker: { sql: 'r.id', type: 'uuid', descending: false },
  };
  return await selectPage<RoleRow>(client, source, tenantId, query);
}

/** Returns the roles with these ids, in any order. Unknown ids are skipped. */
export async function findRolesByIds(
  client: Queryable,
  tenantId: string,
  ids: readonly string[],
): Promise<readonly RoleRow[]> {
  const { rows } = await client.query<RoleRow>(
    `select ${COLUMNS} from roles r where r.tenant_id = $1 and r.id = any($2::uuid[])`,
    [tenantId, ids],
  );
  return rows;
}

/** Inserts a role. Returns the id of the new role, or `undefined` if the tenant already has a role with this name. */
export async function insertRole(
  client: Queryable,
  tenantId: string,
  name: string,
  permissions: readonly Permission[],
): Promise<string | undefined> {
  const { rows } = await client.query<{ id: string }>(
    `insert into roles (tenant_id, id, name, permissions) values ($1, $2, $3, $4)
     on conflict (tenant_id, name) do nothing returning id`,
    [tenantId, uuidv7(), name, permissions],
  );
  return rows[0]?.id;
}

/** Whether the tenant has another role with this name. */
export async function isNameTaken(
  client: Queryable,
  tenantId: string,
  name: string,
  exceptRoleId: string,
): Promise<boolean> {
  const { rowCount } = await client.query(
    'select from roles where tenant_id = $1 and name = $2 and id <> $3',
    [tenantId, name, exceptRoleId],
  );
  return rowCount !== 0;
}

/** Replaces a role's name and permissions. The name must not be taken (`isNameTaken`). */
export async function updateRoleRow(
  client: Queryable,
  tenantId: string,
  id: string,
  { name, permissions }: { readonly name: string; readonly permissions: readonly string[] },
): Promise<void> {
  await client.query('update roles set name = $3, permissions = $4 where tenant_id = $1 and id = $2', [
    tenantId,
    id,
    name,
    permissions,
  ]);
}

/** Deletes a role that is not assigned to any user. */
export async function deleteRole(client: Queryable, tenantId: string, id: string): Promise<void> {
  await client.query('delete from roles where tenant_id = $1 and id = $2', [tenantId, id]);
}

/** Roles. Requires `manage_users`. */
export const roleResourceType: ResourceType<RoleRow> = {
  resource: roles,
  access: { permissions: ['manage_users'] },
  isId: isUuid,
  findByIds: findRolesByIds,
  toResource: roleResource,
  notFoundDetail: 'No role has this ID.',
};
