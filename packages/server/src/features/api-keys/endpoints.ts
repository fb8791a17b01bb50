import { z } from 'zod';
import { revokeKey } from '../../access/issued-keys.ts';
import type { ApiDependencies } from '../../api/dependencies.ts';
import { type Endpoint, withBody } from '../../api/endpoint.ts';
import { asTenant, type Queryable, readAsTenant } from '../../db/transaction.ts';
import { notFound } from '../../jsonapi/errors.ts';
import { equalityFilters, filter, searchIn } from '../../jsonapi/filters.ts';
import { isUuid } from '../../jsonapi/identifier.ts';
import { listAnswer } from '../../jsonapi/list-answer.ts';
import { documentOf, listOf } from '../../jsonapi/schemas.ts';
import { recordAuditEvent } from '../audit-events/record-audit-event.ts';
import { includedUsers } from '../users/included-users.ts';
import { USERS, users } from '../users/resource.ts';
import { createKey } from './create-key.ts';
import { newApiKey } from './key-document.ts';
import { type ApiKeyRow, findApiKeysByIds, listApiKeys } from './repository.ts';
import { API_KEYS, apiKeyResource, apiKeys, apiKeyUrl, createdApiKeys } from './resource.ts';

const common = { tag: 'Access', access: { permission: 'manage_account' } } as const;
const single = {
  fields: { [API_KEYS]: apiKeys.attributes, [USERS]: users.attributes },
  includes: ['user'],
};

/** The keys of a tenant's users. A key is shown by the answer that makes it, and never again. */
export function apiKeyEndpoints({ pool, publicUrl }: ApiDependencies): readonly Endpoint[] {
  const list: Endpoint = {
    ...common,
    method: 'GET',
    path: '/api-keys',
    operationId: 'listApiKeys',
    summary: 'List API keys',
    query: {
      ...single,
      filters: {
        ...equalityFilters('user', 'k.user_id', z.uuid(), 'uuid'),
        revoked: filter({
          description: 'Only those that were revoked, or only the others; expired ones are no matter here',
          schema: z.enum(['true', 'false']),
          condition: (revoked) => ({
            sql: () => `k.revoked_at is ${revoked === 'true' ? 'not null' : 'null'}`,
          }),
        }),
        search: searchIn('Only those with this text in their name or prefix', ['k.name', 'k.prefix']),
      },
      list: {
        sorts: {
          inserted_at: { sql: 'k.created_at', type: 'timestamptz' },
          expires_at: { sql: 'k.expires_at', type: 'timestamptz', nullable: true },
        },
        defaultSort: '-inserted_at',
      },
    },
    answers: { 200: { description: 'A page of keys', schema: listOf(apiKeys, { included: [users] }) } },
    handle: async ({ request, access: { tenantId }, query }) =>
      await readAsTenant(pool, tenantId, async (client) => {
        const page = await listApiKeys(client, tenantId, query);
        const data = page.rows.map((row) => apiKeyResource(row, publicUrl(), query.fields.get(API_KEYS)));
        const owners = page.rows.map(({ user_id }) => user_id);
        const included = await includedUsers(client, tenantId, query, publicUrl(), owners);
        return listAnswer({ data, included, page, query, request, publicUrl: publicUrl() });
      }),
  };

  const get: Endpoint = {
    ...common,
    method: 'GET',
    path: '/api-keys/{id}',
    operationId: 'getApiKey',
    summary: 'Get an API key, without its secret',
    query: single,
    answers: { 200: { description: 'The key', schema: documentOf(apiKeys, { included: [users] }) } },
    handle: async ({ access: { tenantId }, params, query }) =>
      await readAsTenant(pool, tenantId, async (client) => {
        const row = await existingKey(client, tenantId, params.id);
        const data = apiKeyResource(row, publicUrl(), query.fields.get(API_KEYS));
        const included = await includedUsers(client, tenantId, query, publicUrl(), [row.user_id]);
        return { status: 200, document: { data, ...(included !== undefined && { included }) } };
      }),
  };

  const create = withBody({
    ...common,
    method: 'POST',
    path: '/api-keys',
    operationId: 'createApiKey',
    summary: 'Make an API key',
    description: 'The answer shows the key, this once. It can never do more than the key that asks for it.',
    // No choice of fields: it could leave out the only sight of the key.
    query: { fields: {} },
    body: newApiKey,
    answers: {
      201: {
        description: 'The key, with all of it',
        schema: documentOf(createdApiKeys),
        headers: { Location: 'The key, without its secret' },
      },
    },
    errors: [404],
    handle: async (call, body) =>
      await asTenant(pool, call.access.tenantId, async (client) => {
        const { id, key } = await createKey(client, call, body);
        const row = await existingKey(client, call.access.tenantId, id);
        const { attributes, ...resource } = apiKeyResource(row, publicUrl());
        return {
          status: 201,
          headers: { location: apiKeyUrl(publicUrl(), id) },
          document: { data: { ...resource, attributes: { ...attributes, key } } },
        };
      }),
  });

  const revoke: Endpoint = {
    ...common,
    method: 'DELETE',
    path: '/api-keys/{id}',
    operationId: 'revokeApiKey',
    summary: 'Revoke an API key',
    description:
      'From the next request on, also where that is the key in use. Revoking it again changes nothing.',
    query: { fields: {} },
    answers: { 204: { description: 'The key is revoked' } },
    handle: async (call) => {
      const { tenantId } = call.access;
      await asTenant(pool, tenantId, async (client) => {
        const { id, prefix } = await existingKey(client, tenantId, call.params.id);
        const revoked = await revokeKey(client, tenantId, { id });
        if (revoked?.is_news !== true) return;
        const changes = { prefix };
        await recordAuditEvent(client, call, {
          action: 'api_key.revoked',
          targetType: API_KEYS,
          targetId: id,
          changes,
        });
      });
      return { status: 204 };
    },
  };
  return [list, get, create, revoke];
}

/** The tenant's key of this id; throws the same 404 for an id that is wrong, unknown or another tenant's. */
async function existingKey(client: Queryable, tenantId: string, id: string | undefined): Promise<ApiKeyRow> {
  const [row] = id !== undefined && isUuid(id) ? await findApiKeysByIds(client, tenantId, [id]) : [];
  if (row === undefined) throw notFound('There is no API key with this id');
  return row;
}
