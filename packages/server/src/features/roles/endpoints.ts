import { z } from 'zod';
import { PERMISSIONS } from '../../auth/permissions.ts';
import { asTenant } from '../../db/transaction.ts';
import type { ApiDependencies } from '../../http/endpoints/dependencies.ts';
import { type Endpoint, withBody } from '../../http/endpoints/endpoint.ts';
import { getEndpoint, listEndpoint } from '../../http/endpoints/resource-endpoints.ts';
import { filter, searchFilter } from '../../jsonapi/filters.ts';
import type { Query } from '../../jsonapi/query.ts';
import { documentOf } from '../../jsonapi/schemas.ts';
import {
  listRoles,
  ROLES,
  type RoleRow,
  roleResource,
  roleResourceType,
  roles,
  roleUrl,
} from '../../resources/roles.ts';
import { createRole, newRole, removeRole, roleChanges, updateRole } from './write-role.ts';

const tag = 'Access';
const common = { tag, access: roleResourceType.access } as const;
const single = { fields: { [ROLES]: roles.attributes } };
const document = documentOf(roles);

/** The role endpoints. */
export function roleEndpoints(dependencies: ApiDependencies): readonly Endpoint[] {
  const { pool, publicUrl } = dependencies;
  const resourceOf = (query: Query) => (row: RoleRow) =>
    roleResource(row, publicUrl(), query.fields.get(ROLES));

  const list = listEndpoint(dependencies, {
    resourceType: roleResourceType,
    tag,
    operationId: 'listRoles',
    summary: 'List roles',
    responseDescription: 'A page of roles.',
    filters: {
      permission: filter({
        description: 'Returns roles that have this permission.',
        schema: z.enum(PERMISSIONS),
        condition: (permission) => ({ sql: (bind) => `${bind(permission)}::text = any(r.permissions)` }),
      }),
      search: searchFilter('Returns roles whose ID or name contains this text. Case-insensitive.', [
        'r.id::text',
        'r.name',
      ]),
    },
    sorts: {
      name: { sql: 'lower(r.name)', type: 'text' },
      inserted_at: { sql: 'r.created_at', type: 'timestamptz' },
    },
    defaultSort: 'name',
    select: listRoles,
  });

  const get = getEndpoint(dependencies, {
    resourceType: roleResourceType,
    tag,
    operationId: 'getRole',
    summary: 'Get a role',
    responseDescription: 'The role.',
  });

  const create = withBody({
    ...common,
    method: 'POST',
    path: '/roles',
    operationId: 'createRole',
    summary: 'Create a role',
    description: 'The API key must have every permission of the new role.',
    query: single,
    body: newRole,
    responses: {
      201: { description: 'The new role.', schema: document, headers: { Location: 'URL of the new role.' } },
    },
    handle: async (call, body) => {
      const row = await asTenant(pool, call.access.tenantId, (client) => createRole(client, call, body));
      const headers = { location: roleUrl(publicUrl(), row.id) };
      return { status: 201, headers, document: { data: resourceOf(call.query)(row) } };
    },
  });

  const update = withBody({
    ...common,
    method: 'PATCH',
    path: '/roles/{id}',
    resourceType: roleResourceType,
    operationId: 'updateRole',
    summary: 'Update a role',
    description:
      "Changes a role's name or permissions. The change applies to all users with the role, starting with their next request. The API key must have every permission that the request adds or removes (`403`), and at least one user must still have each permission afterwards (`409`).",
    query: single,
    body: roleChanges,
    responses: { 200: { description: 'The updated role.', schema: document } },
    handle: async (call, body) => {
      const row = await asTenant(pool, call.access.tenantId, (client) => updateRole(client, call, body));
      return { status: 200, document: { data: resourceOf(call.query)(row) } };
    },
  });

  const remove: Endpoint = {
    ...common,
    method: 'DELETE',
    path: '/roles/{id}',
    resourceType: roleResourceType,
    operationId: 'deleteRole',
    summary: 'Delete a role',
    description: 'A role that is still assigned to users cannot be deleted (`409`).',
    query: { fields: {} },
    responses: { 204: { description: 'The role was deleted.' } },
    errors: [409],
    handle: async (call) => {
      await asTenant(pool, call.access.tenantId, (client) => removeRole(client, call));
      return { status: 204 };
    },
  };
  return [list, get, create, update, remove];
}
