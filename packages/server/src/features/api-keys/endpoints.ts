import { z } from 'zod';
import { revokeKey } from '../../access/issued-keys.ts';
import type { ApiDependencies } from '../../api/dependencies.ts';
import { type Endpoint, withBody } from '../../api/endpoint.ts';
import { includeRelated } from '../../api/includes.ts';
import { getEndpoint, listEndpoint } from '../../api/resource-endpoints.ts';
import { findExisting } from '../../api/resource-type.ts';
import { asTenant } from '../../db/transaction.ts';
import { equalityFilters, filter, searchFilter } from '../../jsonapi/filters.ts';
import { documentOf } from '../../jsonapi/schemas.ts';
import { recordAuditEvent } from '../audit-events/record-audit-event.ts';
import { userResourceType } from '../users/resource-type.ts';
import { createKey } from './create-key.ts';
import { newApiKey } from './key-document.ts';
import { type ApiKeyRow, listApiKeys } from './repository.ts';
import { API_KEYS, apiKeyResource, apiKeyUrl, createdApiKeys } from './resource.ts';
import { apiKeyResourceType } from './resource-type.ts';

const tag = 'Access';
const common = { tag, access: apiKeyResourceType.access } as const;
const reading = {
  resourceType: apiKeyResourceType,
  tag,
  includes: { user: includeRelated(userResourceType, ({ user_id }: ApiKeyRow) => [user_id]) },
} as const;

/** The keys of a tenant's users. A key is shown by the answer that makes it, and never again. */
export function apiKeyEndpoints(dependencies: ApiDependencies): readonly Endpoint[] {
  const { pool, publicUrl } = dependencies;
  const list = listEndpoint(dependencies, {
    ...reading,
    operationId: 'listApiKeys',
    summary: 'List API keys',
    responseDescription: 'A page of keys',
    filters: {
      ...equalityFilters('user', 'k.user_id', z.uuid(), 'uuid'),
      revoked: filter({
        description: 'Only those that were revoked, or only the others; expired ones are no matter here',
        schema: z.enum(['true', 'false']),
        condition: (revoked) => ({
          sql: () => `k.revoked_at is ${revoked === 'true' ? 'not null' : 'null'}`,
        }),
      }),
      search: searchFilter('Only those with this text in their name or prefix', ['k.name', 'k.prefix']),
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
    ...reading,
    operationId: 'getApiKey',
    summary: 'Get an API key, without its secret',
    responseDescription: 'The key',
  });

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
    responses: {
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
        const row = await findExisting(apiKeyResourceType, client, call.access.tenantId, id);
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
    resourceType: apiKeyResourceType,
    operationId: 'revokeApiKey',
    summary: 'Revoke an API key',
    description:
      'From the next request on, also where that is the key in use. Revoking it again changes nothing.',
    query: { fields: {} },
    responses: { 204: { description: 'The key is revoked' } },
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
