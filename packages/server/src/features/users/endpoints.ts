import { z } from 'zod';
import { asTenant, type Queryable } from '../../db/transaction.ts';
import type { ApiDependencies } from '../../http/endpoints/dependencies.ts';
import { type Call, type Endpoint, withBody } from '../../http/endpoints/endpoint.ts';
import { includedResources, resourceQuery } from '../../http/endpoints/includes.ts';
import { getEndpoint, listEndpoint, resourceDocument } from '../../http/endpoints/resource-endpoints.ts';
import { filter, searchFilter } from '../../jsonapi/filters.ts';
import { documentOf } from '../../jsonapi/schemas.ts';
import {
  listUsers,
  USER_INCLUDES,
  type UserRow,
  userResourceType,
  users,
  userUrl,
} from '../../resources/users.ts';
import { createUser, newUser, removeUser, updateUser, userChanges } from './write-user.ts';

const tag = 'Access';
const common = { tag, access: userResourceType.access } as const;
const readOptions = { resourceType: userResourceType, tag, includes: USER_INCLUDES } as const;
const single = resourceQuery(users, USER_INCLUDES);
const document = documentOf(users, { included: includedResources(USER_INCLUDES) });

/** The user endpoints. */
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
    ...readOptions,
    operationId: 'listUsers',
    summary: 'List users',
    responseDescription: 'A page of users.',
    filters: {
      email: filter({
        description: 'Returns the user with this email. Case-insensitive.',
        schema: z.string(),
        condition: (email) => ({ sql: (bind) => `lower(u.email) = lower(${bind(email)})` }),
      }),
      role: filter({
        description: 'Returns users who have the role with this ID.',
        schema: z.uuid(),
        condition: (id) => ({
          sql: (bind) =>
            `exists (select from user_roles f where f.tenant_id = $1 and f.user_id = u.id and f.role_id = ${bind(id)})`,
        }),
      }),
      search: searchFilter('Returns users whose ID or email contains this text. Case-insensitive.', [
        'u.id::text',
        'u.email',
      ]),
    },
    sorts: {
      email: { sql: 'lower(u.email)', type: 'text' },
      inserted_at: { sql: 'u.created_at', type: 'timestamptz' },
    },
    defaultSort: 'email',
    select: listUsers,
  });

  const get = getEndpoint(dependencies, {
    ...readOptions,
    operationId: 'getUser',
    summary: 'Get a user',
    responseDescription: 'The user.',
  });

  const create = withBody({
    ...common,
    method: 'POST',
    path: '/users',
    operationId: 'createUser',
    summary: 'Create a user',
    description: 'The API key must have every permission of the assigned roles.',
    ...single,
    body: newUser,
    responses: {
      201: { description: 'The new user.', schema: document, headers: { Location: 'URL of the new user.' } },
    },
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
    summary: 'Update a user',
    description:
      "Changes a user's email or roles. The API key must have every permission of the roles that the request assigns or removes (`403`), and at least one user must still have each permission afterwards (`409`).",
    ...single,
    body: userChanges,
    responses: { 200: { description: 'The updated user.', schema: document } },
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
      "Also revokes the user's API keys. The user's audit events are kept. The API key must have every permission of the user (`403`), and at least one other user must have each of these permissions (`409`).",
    query: { fields: {} },
    responses: { 204: { description: 'The user was deleted.' } },
    errors: [409],
    handle: async (call) => {
      await asTenant(pool, call.access.tenantId, (client) => removeUser(client, call));
      return { status: 204 };
    },
  };
  return [list, get, create, update, remove];
}
