import { z } from 'zod';
import type { ApiDependencies } from '../../api/dependencies.ts';
import { type Call, type Endpoint, withBody } from '../../api/endpoint.ts';
import { includedResources, resourceQuery } from '../../api/includes.ts';
import { getEndpoint, listEndpoint, resourceDocument } from '../../api/resource-endpoints.ts';
import { asTenant, type Queryable } from '../../db/transaction.ts';
import { filter, searchFilter } from '../../jsonapi/filters.ts';
import { documentOf } from '../../jsonapi/schemas.ts';
import { listUsers, type UserRow } from './repository.ts';
import { users, userUrl } from './resource.ts';
import { USER_INCLUDES, userResourceType } from './resource-type.ts';
import { newUser, userChanges } from './user-document.ts';
import { createUser, removeUser, updateUser } from './write-user.ts';

const tag = 'Access';
const common = { tag, access: userResourceType.access } as const;
const reading = { resourceType: userResourceType, tag, includes: USER_INCLUDES } as const;
const single = resourceQuery(users, USER_INCLUDES);
const document = documentOf(users, { included: includedResources(USER_INCLUDES) });

/** Who has API keys, and what their roles allow them. */
export function userEndpoints(dependencies: ApiDependencies): readonly Endpoint[] {
  const { pool, publicUrl } = dependencies;
  const documentFor = async (client: Queryable, { access: { tenantId }, query }: Call, row: UserRow) =>
    await resourceDocument(
      userResourceType,
      USER_INCLUDES,
      { client, tenantId, query, publicUrl: publicUrl() },
      row,
    );

  const list = listEndpoint(dependencies, {
    ...reading,
    operationId: 'listUsers',
    summary: 'List users',
    responseDescription: 'A page of users',
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
      search: searchFilter('Only those with this text in their id or email', ['u.id::text', 'u.email']),
    },
    sorts: {
      email: { sql: 'lower(u.email)', type: 'text' },
      inserted_at: { sql: 'u.created_at', type: 'timestamptz' },
    },
    defaultSort: 'email',
    select: listUsers,
  });

  const get = getEndpoint(dependencies, {
    ...reading,
    operationId: 'getUser',
    summary: 'Get a user',
    responseDescription: 'The user',
  });

  const create = withBody({
    ...common,
    method: 'POST',
    path: '/users',
    operationId: 'createUser',
    summary: 'Add a user',
    description: 'Nobody can give a role that allows more than the API key that asks for it.',
    ...single,
    body: newUser,
    responses: { 201: { description: 'The user', schema: document, headers: { Location: 'The user' } } },
    errors: [404],
    handle: async (call, body) =>
      await asTenant(pool, call.access.tenantId, async (client) => {
        const row = await createUser(client, call, body);
        return {
          status: 201,
          headers: { location: userUrl(publicUrl(), row.id) },
          document: await documentFor(client, call, row),
        };
      }),
  });

  const update = withBody({
    ...common,
    method: 'PATCH',
    path: '/users/{id}',
    resourceType: userResourceType,
    operationId: 'updateUser',
    summary: 'Change the email or the roles of a user',
    description:
      'Nobody can take away a permission that the API key that asks for it lacks (403), nor from the last user who has it (409).',
    ...single,
    body: userChanges,
    responses: { 200: { description: 'The user as it is now', schema: document } },
    handle: async (call, body) =>
      await asTenant(pool, call.access.tenantId, async (client) => {
        const row = await updateUser(client, call, body);
        return { status: 200, document: await documentFor(client, call, row) };
      }),
  });

  const remove: Endpoint = {
    ...common,
    method: 'DELETE',
    path: '/users/{id}',
    resourceType: userResourceType,
    operationId: 'deleteUser',
    summary: 'Delete a user',
    description:
      'Its API keys are valid no longer. What it did stays in the audit trail. Nobody can delete a user with a permission that the API key that asks for it lacks (403), nor the last user who has a permission (409).',
    query: { fields: {} },
    responses: { 204: { description: 'The user is gone' } },
    errors: [409],
    handle: async (call) => {
      await asTenant(pool, call.access.tenantId, (client) => removeUser(client, call));
      return { status: 204 };
    },
  };
  return [list, get, create, update, remove];
}
