import { z } from 'zod';
import { recordAuditEvent } from '../../auth/record-audit-event.ts';
import { asTenant } from '../../db/transaction.ts';
import type { ApiDependencies } from '../../http/endpoints/dependencies.ts';
import { type Endpoint, withBody } from '../../http/endpoints/endpoint.ts';
import { assertSameId } from '../../http/endpoints/read-document.ts';
import { getEndpoint, listEndpoint } from '../../http/endpoints/resource-endpoints.ts';
import { findExisting, resourceNotFound } from '../../http/endpoints/resource-type.ts';
import { equalityFilters, filter, searchFilter } from '../../jsonapi/filters.ts';
import { documentOf } from '../../jsonapi/schemas.ts';
import { isUuid } from '../../jsonapi/uuid.ts';
import { accountFilters, providerType } from '../../resources/provider-filters.ts';
import {
  listProviders,
  PROVIDERS,
  providerAlias,
  providerResource,
  providerResourceType,
  providers,
  setAlias,
} from '../../resources/providers.ts';
import { deleteProvider, deletionEvent } from './repository.ts';

const readOptions = { resourceType: providerResourceType, tag: 'Providers' } as const;
const changeOptions = { ...readOptions, access: { permissions: ['manage_providers'] } } as const;

const filters = {
  ...equalityFilters('type', 'type', providerType, 'text'),
  ...accountFilters('account'),
  alias: filter({
    description: 'Returns providers with this alias.',
    schema: z.string(),
    condition: (value) => ({ sql: (bind) => `alias = ${bind(value)}::text` }),
  }),
  search: searchFilter(
    'Returns providers whose account, name or alias contains this text. Case-insensitive.',
    ['account', 'name', 'alias'],
  ),
};

const providerChange = z
  .strictObject({
    data: z.strictObject({
      type: z.literal(PROVIDERS),
      id: z.string(),
      attributes: z.strictObject({ alias: providerAlias.optional() }),
    }),
  })
  .meta({ id: 'ProviderChange', description: 'Changes to a provider.' });

/** The provider endpoints. */
export function providerEndpoints(dependencies: ApiDependencies): readonly Endpoint[] {
  const { pool, publicUrl } = dependencies;
  const list = listEndpoint(dependencies, {
    ...readOptions,
    operationId: 'listProviders',
    summary: 'List providers',
    responseDescription: 'A page of providers.',
    filters,
    sorts: {
      type: { sql: 'type', type: 'text' },
      account: { sql: 'account', type: 'text' },
      alias: { sql: 'alias', type: 'text', nullable: true },
      inserted_at: { sql: 'created_at', type: 'timestamptz' },
    },
    defaultSort: 'type,account',
    select: listProviders,
  });

  const get = getEndpoint(dependencies, {
    ...readOptions,
    operationId: 'getProvider',
    summary: 'Get a provider',
    responseDescription: 'The provider.',
  });

  const update = withBody({
    ...changeOptions,
    method: 'PATCH',
    path: '/providers/{id}',
    operationId: 'updateProvider',
    summary: 'Update a provider',
    description: "Sets or removes a provider's alias.",
    query: { fields: { [PROVIDERS]: providers.attributes } },
    body: providerChange,
    responses: { 200: { description: 'The updated provider.', schema: documentOf(providers) } },
    handle: async (call, { data: { id: documentId, attributes } }) => {
      const { access, query } = call;
      const id = providerId(call.params);
      assertSameId(documentId, id);
      const { alias } = attributes;
      const fields = query.fields.get(PROVIDERS);
      const row = await asTenant(pool, access.tenantId, async (client) => {
        if (alias !== undefined && (await setAlias(client, access.tenantId, id, alias))) {
          await recordAuditEvent(client, call, {
            action: 'provider.updated',
            targetType: PROVIDERS,
            targetId: id,
            changes: { alias },
          });
        }
        return await findExisting(providerResourceType, client, access.tenantId, id, fields);
      });
      return { status: 200, document: { data: providerResource(row, publicUrl(), fields) } };
    },
  });

  const remove: Endpoint = {
    ...changeOptions,
    method: 'DELETE',
    path: '/providers/{id}',
    operationId: 'deleteProvider',
    summary: 'Delete a provider',
    description:
      "Also deletes the provider's findings and scans. They disappear immediately, and the provider no longer counts toward the subscription. Its data is removed in the background. Uploading findings of the same account again creates a new provider.",
    query: { fields: {} },
    responses: { 204: { description: 'The provider was deleted.' } },
    handle: async (call) => {
      const { tenantId } = call.access;
      const id = providerId(call.params);
      await asTenant(pool, tenantId, async (client) => {
        const deleted = await deleteProvider(client, tenantId, id);
        if (deleted === undefined) throw resourceNotFound(providerResourceType);
        await recordAuditEvent(client, call, deletionEvent(id, deleted));
      });
      return { status: 204 };
    },
  };
  return [list, get, update, remove];
}

/** Returns the id in the path, in lower case. Throws an ApiError (404) if it is malformed. */
function providerId({ id = '' }: Readonly<Record<string, string>>): string {
  if (!isUuid(id)) throw resourceNotFound(providerResourceType);
  return id.toLowerCase();
}
