import { z } from 'zod';
import type { ApiDependencies } from '../../api/dependencies.ts';
import { type Endpoint, withBody } from '../../api/endpoint.ts';
import { asTenant, type Queryable, readAsTenant } from '../../db/transaction.ts';
import { filter, searchIn } from '../../jsonapi/filters.ts';
import { listAnswer } from '../../jsonapi/list-answer.ts';
import type { Query } from '../../jsonapi/query.ts';
import { documentOf, listOf } from '../../jsonapi/schemas.ts';
import { findRolesByIds } from '../roles/repository.ts';
import { ROLES, roleResource, roles } from '../roles/resource.ts';
import { listUsers, type UserRow } from './repository.ts';
import { USERS, userResource, users, userUrl } from './resource.ts';
import { newUser, userChanges } from './user-document.ts';
import { createUser, existingUser, removeUser, updateUser } from './write-user.ts';

const common = { tag: 'Access', access: { permission: 'manage_users' } } as const;
const single = {
  fields: { [USERS]: users.attributes, [ROLES]: roles.attributes },
  includes: ['roles'],
};
const document = documentOf(users, { included: [roles] });

/** Who has API keys, and what their roles allow them. */
export function userEndpoints({ pool, publicUrl }: ApiDependencies): readonly Endpoint[] {
  const includedRoles = async (
    client: Queryable,
    tenantId: string,
    query: Query,
    rows: readonly UserRow[],
  ) => {
    if (!query.include.has('roles')) return {};
    const ids = new Set(rows.flatMap(({ role_ids }) => role_ids));
    const found = await findRolesByIds(client, tenantId, [...ids]);
    return { included: found.map((row) => roleResource(row, publicUrl(), query.fields.get(ROLES))) };
  };
  const documentFor = async (client: Queryable, tenantId: string, query: Query, row: UserRow) => ({
    data: userResource(row, publicUrl(), query.fields.get(USERS)),
    ...(await includedRoles(client, tenantId, query, [row])),
  });

  const list: Endpoint = {
    ...common,
    method: 'GET',
    path: '/users',
    operationId: 'listUsers',
    summary: 'List users',
    query: {
      ...single,
      filters: {
        email: filter({
          description: 'Only the one with this email, in whatever case',
          schema: z.string(),
          condition: (email) => ({ sql: (bind) => `lower(u.email) = lower(${bind(email)})` }),
        }),
        role: filter({
          description: 'Only those who have the role of this id',
          schema: z.uuid(),
          condition: (id) => ({
            sql: (bind) =>
              `exists (select from user_roles f where f.tenant_id = u.tenant_id and f.user_id = u.id and f.role_id = ${bind(id)})`,
          }),
        }),
        search: searchIn('Only those with this text in their id or email', ['u.id::text', 'u.email']),
      },
      list: {
        sorts: {
          email: { sql: 'lower(u.email)', type: 'text' },
          inserted_at: { sql: 'u.created_at', type: 'timestamptz' },
        },
        defaultSort: 'email',
      },
    },
    answers: { 200: { description: 'A page of users', schema: listOf(users, { included: [roles] }) } },
    handle: async ({ request, access: { tenantId }, query }) =>
      await readAsTenant(pool, tenantId, async (client) => {
        const page = await listUsers(client, tenantId, query);
        const data = page.rows.map((row) => userResource(row, publicUrl(), query.fields.get(USERS)));
        const included = await includedRoles(client, tenantId, query, page.rows);
        return listAnswer({ data, ...included, page, query, request, publicUrl: publicUrl() });
      }),
  };

  const get: Endpoint = {
    ...common,
    method: 'GET',
    path: '/users/{id}',
    operationId: 'getUser',
    summary: 'Get a user',
    query: single,
    answers: { 200: { description: 'The user', schema: document } },
    handle: async ({ access: { tenantId }, params, query }) =>
      await readAsTenant(pool, tenantId, async (client) => {
        const row = await existingUser(client, tenantId, params.id);
        return { status: 200, document: await documentFor(client, tenantId, query, row) };
      }),
  };

  const create = withBody({
    ...common,
    method: 'POST',
    path: '/users',
    operationId: 'createUser',
    summary: 'Add a user',
    description: 'Nobody can give a role that allows more than the API key that asks for it.',
    query: single,
    body: newUser,
    answers: { 201: { description: 'The user', schema: document, headers: { Location: 'The user' } } },
    errors: [404],
    handle: async (call, body) =>
      await asTenant(pool, call.access.tenantId, async (client) => {
        const row = await createUser(client, call, body);
        return {
          status: 201,
          headers: { location: userUrl(publicUrl(), row.id) },
          document: await documentFor(client, call.access.tenantId, call.query, row),
        };
      }),
  });

  const update = withBody({
    ...common,
    method: 'PATCH',
    path: '/users/{id}',
    operationId: 'updateUser',
    summary: 'Change the email or the roles of a user',
    description: 'The last user who may manage users, or the account, keeps that: taking it away is a 409.',
    query: single,
    body: userChanges,
    answers: { 200: { description: 'The user as it is now', schema: document } },
    handle: async (call, body) =>
      await asTenant(pool, call.access.tenantId, async (client) => {
        const row = await updateUser(client, call, body);
        return { status: 200, document: await documentFor(client, call.access.tenantId, call.query, row) };
      }),
  });

  const remove: Endpoint = {
    ...common,
    method: 'DELETE',
    path: '/users/{id}',
    operationId: 'deleteUser',
    summary: 'Delete a user',
    description:
      'Its API keys are valid no longer. What it did stays in the audit trail. The last user who may manage users, or the account, cannot be deleted.',
    query: { fields: {} },
    answers: { 204: { description: 'The user is gone' } },
    errors: [409],
    handle: async (call) => {
      await asTenant(pool, call.access.tenantId, (client) => removeUser(client, call));
      return { status: 204 };
    },
  };
  return [list, get, create, update, remove];
}
