import { z } from 'zod';
import { PERMISSIONS } from '../../access/permissions.ts';
import type { ApiDependencies } from '../../api/dependencies.ts';
import { type Endpoint, withBody } from '../../api/endpoint.ts';
import { asTenant, readAsTenant } from '../../db/transaction.ts';
import { filter, searchIn } from '../../jsonapi/filters.ts';
import { listAnswer } from '../../jsonapi/list-answer.ts';
import type { Query } from '../../jsonapi/query.ts';
import { documentOf, listOf } from '../../jsonapi/schemas.ts';
import { listRoles, type RoleRow } from './repository.ts';
import { ROLES, roleResource, roles, roleUrl } from './resource.ts';
import { newRole, roleChanges } from './role-document.ts';
import { createRole, existingRole, removeRole, updateRole } from './write-role.ts';

const common = { tag: 'Access', access: { permission: 'manage_users' } } as const;
const single = { fields: { [ROLES]: roles.attributes } };
const document = documentOf(roles);

/** What users may do, under names. */
export function roleEndpoints({ pool, publicUrl }: ApiDependencies): readonly Endpoint[] {
  const resourceOf = (query: Query) => (row: RoleRow) =>
    roleResource(row, publicUrl(), query.fields.get(ROLES));

  const list: Endpoint = {
    ...common,
    method: 'GET',
    path: '/roles',
    operationId: 'listRoles',
    summary: 'List roles',
    query: {
      ...single,
      filters: {
        permission: filter({
          description: 'Only those that allow this',
          schema: z.enum(PERMISSIONS),
          condition: (permission) => ({ sql: (bind) => `${bind(permission)}::text = any(r.permissions)` }),
        }),
        search: searchIn('Only those with this text in their id or name', ['r.id::text', 'r.name']),
      },
      list: {
        sorts: {
          name: { sql: 'lower(r.name)', type: 'text' },
          inserted_at: { sql: 'r.created_at', type: 'timestamptz' },
        },
        defaultSort: 'name',
      },
    },
    answers: { 200: { description: 'A page of roles', schema: listOf(roles) } },
    handle: async ({ request, access: { tenantId }, query }) => {
      const page = await readAsTenant(pool, tenantId, (client) => listRoles(client, tenantId, query));
      const data = page.rows.map(resourceOf(query));
      return listAnswer({ data, page, query, request, publicUrl: publicUrl() });
    },
  };

  const get: Endpoint = {
    ...common,
    method: 'GET',
    path: '/roles/{id}',
    operationId: 'getRole',
    summary: 'Get a role',
    query: single,
    answers: { 200: { description: 'The role', schema: document } },
    handle: async ({ access: { tenantId }, params, query }) => {
      const row = await readAsTenant(pool, tenantId, (client) => existingRole(client, tenantId, params.id));
      return { status: 200, document: { data: resourceOf(query)(row) } };
    },
  };

  const create = withBody({
    ...common,
    method: 'POST',
    path: '/roles',
    operationId: 'createRole',
    summary: 'Add a role',
    description: 'Nobody can put a permission into a role that the API key that asks for it lacks.',
    query: single,
    body: newRole,
    answers: { 201: { description: 'The role', schema: document, headers: { Location: 'The role' } } },
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
    operationId: 'updateRole',
    summary: 'Change the name or the permissions of a role',
    description:
      'It holds for all who have the role, from the next request on. The last user who may manage users, or the account, keeps that: taking it away is a 409.',
    query: single,
    body: roleChanges,
    answers: { 200: { description: 'The role as it is now', schema: document } },
    handle: async (call, body) => {
      const row = await asTenant(pool, call.access.tenantId, (client) => updateRole(client, call, body));
      return { status: 200, document: { data: resourceOf(call.query)(row) } };
    },
  });

  const remove: Endpoint = {
    ...common,
    method: 'DELETE',
    path: '/roles/{id}',
    operationId: 'deleteRole',
    summary: 'Delete a role that nobody has',
    query: { fields: {} },
    answers: { 204: { description: 'The role is gone' } },
    errors: [409],
    handle: async (call) => {
      await asTenant(pool, call.access.tenantId, (client) => removeRole(client, call));
      return { status: 204 };
    },
  };
  return [list, get, create, update, remove];
}
