import { z } from 'zod';
import { assertSameId } from '../../api/assert-same-id.ts';
import type { ApiDependencies } from '../../api/dependencies.ts';
import { type Endpoint, withBody } from '../../api/endpoint.ts';
import { findExisting, resourceNotFound } from '../../api/resource-type.ts';
import { asTenant } from '../../db/transaction.ts';
import { isUuid } from '../../jsonapi/identifier.ts';
import { documentOf } from '../../jsonapi/schemas.ts';
import { recordAuditEvent } from '../audit-events/record-audit-event.ts';
import { deleteProvider, deletionEvent } from './delete-provider.ts';
import { setAlias } from './repository.ts';
import { PROVIDERS, providerAlias, providerResource, providers } from './resource.ts';
import { providerResourceType } from './resource-type.ts';

const access = { permissions: ['manage_providers'] } as const;

const change = z
  .strictObject({
    data: z.strictObject({
      type: z.literal(PROVIDERS),
      id: z.string(),
      attributes: z.strictObject({ alias: providerAlias.optional() }),
    }),
  })
  .meta({ id: 'ProviderChange' });

/** What changes providers. */
export function changeProviderEndpoints({ pool, publicUrl }: ApiDependencies): readonly Endpoint[] {
  const patch = withBody({
    method: 'PATCH',
    path: '/providers/{id}',
    resourceType: providerResourceType,
    operationId: 'updateProvider',
    tag: 'Providers',
    summary: 'Give a provider an alias, or take it away',
    access,
    query: { fields: { [PROVIDERS]: providers.attributes } },
    body: change,
    responses: { 200: { description: 'The provider as it is now', schema: documentOf(providers) } },
    handle: async (call, { data: { id: named, attributes } }) => {
      const { access, query } = call;
      const id = providerId(call.params);
      assertSameId(named, id);
      const { alias } = attributes;
      const wanted = query.fields.get(PROVIDERS);
      const row = await asTenant(pool, access.tenantId, async (client) => {
        if (alias !== undefined && (await setAlias(client, access.tenantId, id, alias))) {
          await recordAuditEvent(client, call, {
            action: 'provider.updated',
            targetType: PROVIDERS,
            targetId: id,
            changes: { alias },
          });
        }
        return await findExisting(providerResourceType, client, access.tenantId, id, wanted);
      });
      return { status: 200, document: { data: providerResource(row, publicUrl(), wanted) } };
    },
  });

  const remove: Endpoint = {
    method: 'DELETE',
    path: '/providers/{id}',
    resourceType: providerResourceType,
    operationId: 'deleteProvider',
    tag: 'Providers',
    summary: 'Delete a provider with its findings and scans',
    description:
      'From then on it is not counted and nothing of it is shown; its data is removed in the background. When its account is uploaded again, that is a new provider.',
    access,
    query: { fields: {} },
    responses: { 204: { description: 'The provider is deleted' } },
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
  return [patch, remove];
}

/** The id of the address, in the spelling of this API. */
function providerId({ id = '' }: Readonly<Record<string, string>>): string {
  if (!isUuid(id)) throw resourceNotFound(providerResourceType);
  return id.toLowerCase();
}
