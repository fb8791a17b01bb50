import { z } from 'zod';
import { revokeKey } from '../../auth/api-keys.ts';
import { recordAuditEvent } from '../../auth/record-audit-event.ts';
import { asTenant } from '../../db/transaction.ts';
import type { ApiDependencies } from '../../http/endpoints/dependencies.ts';
import { type Endpoint, withBody } from '../../http/endpoints/endpoint.ts';
import { includeRelated } from '../../http/endpoints/includes.ts';
import { getEndpoint, listEndpoint } from '../../http/endpoints/resource-endpoints.ts';
import { findExisting } from '../../http/endpoints/resource-type.ts';
import { equalityFilters, filter, searchFilter } from '../../jsonapi/filters.ts';
import { documentOf } from '../../jsonapi/schemas.ts';
import { userResourceType } from '../../resources/users.ts';
import { createKey, newApiKey } from './create-key.ts';
import {
  API_KEYS,
  type ApiKeyRow,
  apiKeyResource,
  apiKeyResourceType,
  apiKeyUrl,
  createdApiKeys,
  listApiKeys,
} from './resource.ts';

const tag = 'Access';
const common = { tag, access: apiKeyResourceType.access } as const;
const readOptions = {
  resourceType: apiKeyResourceType,
  tag,
  includes: { user: includeRelated(userResourceType, ({ user_id }: ApiKeyRow) => [user_id]) },
} as const;

/** The API key endpoints. The secret is returned only when a key is created. */
export function apiKeyEndpoints(dependencies: ApiDependencies): readonly Endpoint[] {
  const { pool, publicUrl } = dependencies;
  const list = listEndpoint(dependencies, {
    ...readOptions,
    operationId: 'listApiKeys',
    summary: 'List API keys',
    responseDescription: 'A page of API keys.',
    filters: {
      ...equalityFilters('user', 'k.user_id', z.uuid(), 'uuid'),
      revoked: filter({
        description:
          'Returns keys that are revoked (`true`) or not revoked (`false`). Expired keys are included.',
        schema: z.enum(['true', 'false']),
        condition: (revoked) => ({
          sql: () => `k.revoked_at is ${revoked === 'true' ? 'not null' : 'null'}`,
        }),
      }),
      search: searchFilter('Returns keys whose name or prefix contains this text. Case-insensitive.', [
        'k.name',
        'k.prefix',
      ]),
    },
    sorts: {
      inserted_at: { sql: 'k.created_at', type: 'timestamptz' },
      expires_at: { sql: 'k.expires_at', type: 'timestamptz', nullable: true },
      last_used_at: { sql: 'k.last_used_at', type: 'timestamptz', nullable: true },
    },
    defaultSort: '-inserted_at',
    select: listApiKeys,
  });

  const get = getEndpoint(dependencies, {
    ...readOptions,
    operationId: 'getApiKey',
    summary: 'Get an API key',
    description: 'The response does not contain the secret.',
    responseDescription: 'The API key, without its secret.',
  });

  const create = withBody({
    ...common,
    method: 'POST',
    path: '/api-keys',
    operationId: 'createApiKey',
    summary: 'Create an API key',
    description:
      'Only this response contains the full key; it cannot be retrieved again. A new key never has more permissions than the key that creates it.',
    // Sparse fieldsets are not supported, because they could omit the key, which is returned only once.
    query: { fields: {} },
    body: newApiKey,
    responses: {
      201: {
        description: 'The new API key, including the full key.',
        schema: documentOf(createdApiKeys),
        headers: { Location: 'URL of the new API key.' },
      },
    },
    errors: [404],
    handle: async (call, body) =>
      await asTenant(pool, call.access.tenantId, async (client) => {
        const { id, key } = await createKey(client, call, body);
        const row = await findExisting(apiKeyResourceType, client, call.access.tenantId, id);
        const resource = apiKeyResource(row, publicUrl());
        return {
          status: 201,
          headers: { location: apiKeyUrl(publicUrl(), id) },
          document: { data: { ...resource, attributes: { ...resource.attributes, key } } },
        };
      }),
  });

  const revoke: Endpoint = {
    ...common,
    method: 'DELETE',
    path: '/api-keys/{id}',
    resourceType: apiKeyResourceType,
    operationId: 'revokeApiKey',
    summary: 'Revoke an API key',
    description:
      'Takes effect with the next request, even if the key revokes itself. Revoking a key again has no effect.',
    query: { fields: {} },
    responses: { 204: { description: 'The API key was revoked.' } },
    handle: async (call) => {
      const { tenantId } = call.access;
      await asTenant(pool, tenantId, async (client) => {
        const { id, prefix } = await findExisting(apiKeyResourceType, client, tenantId, call.params.id);
        const revoked = await revokeKey(client, tenantId, { id });
        if (revoked?.is_newly_revoked !== true) return;
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
