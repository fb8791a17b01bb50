import { z } from 'zod';
import { recordAuditEvent } from '../../auth/record-audit-event.ts';
import { asTenant } from '../../db/transaction.ts';
import type { ApiDependencies } from '../../http/endpoints/dependencies.ts';
import { type Endpoint, withBody } from '../../http/endpoints/endpoint.ts';
import { assertSameId } from '../../http/endpoints/read-document.ts';
import { getEndpoint, listEndpoint } from '../../http/endpoints/resource-endpoints.ts';
import { findExisting, resourceNotFound } from '../../http/endpoints/resource-type.ts';
import { notFound } from '../../jsonapi/errors.ts';
import { equalityFilters, filter, searchFilter } from '../../jsonapi/filters.ts';
import { documentOf } from '../../jsonapi/schemas.ts';
import { isUuid } from '../../jsonapi/uuid.ts';
import { accountFilters, providerType } from '../../resources/provider-filters.ts';
import {
  listProviders,
  PROVIDERS,
  providerAlias,
  providerResourceType,
  setAlias,
} from '../../resources/providers.ts';
import { providerWithProducts, providerWithProductsType } from './products.ts';
import { deleteProvider, deletionEvent } from './repository.ts';
import { resolutionEvent, resolveProduct, withReservedWork } from './resolve-product.ts';

const readOptions = { resourceType: providerResourceType, tag: 'Providers' } as const;
const detailOptions = { ...readOptions, resourceType: providerWithProductsType } as const;
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

const findingResolution = z
  .strictObject({
    data: z.strictObject({
      type: z.literal(PROVIDERS),
      id: z.string(),
      attributes: z.strictObject({
        product: z.string().meta({ description: 'Name of the product, as in the attribute `products`.' }),
      }),
    }),
  })
  .meta({ id: 'FindingResolution', description: 'The product whose findings are resolved.' });

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
    ...detailOptions,
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
    query: { fields: { [PROVIDERS]: providerWithProducts.attributes } },
    body: providerChange,
    responses: { 200: { description: 'The updated provider.', schema: documentOf(providerWithProducts) } },
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
        return await findExisting(providerWithProductsType, client, access.tenantId, id, fields);
      });
      const data = providerWithProductsType.toResource(row, publicUrl(), fields);
      return { status: 200, document: { data } };
    },
  });

  const resolve = withBody({
    ...changeOptions,
    method: 'POST',
    path: '/providers/{id}/resolve',
    operationId: 'resolveProviderFindings',
    summary: 'Resolve the findings of a product',
    description:
      'Resolves all open findings of the provider that one product reported, for example after you have replaced the product. They are resolved in the background, as by an upload that is complete for the account and contains no findings of the product. `resolved_at` is the time of this request, and `resolved_by` is null. Records with an earlier time that are uploaded later are resolved, too. A finding with a newer record is reopened.',
    query: { fields: { [PROVIDERS]: providerWithProducts.attributes } },
    body: findingResolution,
    responses: {
      202: {
        description: 'The provider before its findings are resolved.',
        schema: documentOf(providerWithProducts, {
          meta: {
            findings: z.int().min(0).meta({ description: 'Number of findings that will be resolved.' }),
          },
        }),
      },
    },
    handle: async (call, { data: { id: documentId, attributes } }) => {
      const { tenantId } = call.access;
      const id = providerId(call.params);
      assertSameId(documentId, id);
      const { row, product } = await withReservedWork(pool, tenantId, (coverageId) =>
        asTenant(pool, tenantId, async (client) => {
          const row = await findExisting(providerWithProductsType, client, tenantId, id);
          const product = row.products?.find(({ name }) => name === attributes.product);
          if (product === undefined) throw unknownProduct();
          await recordAuditEvent(client, call, resolutionEvent(id, product));
          const coverage = { id: coverageId, providerId: id, product: product.name };
          if ((await resolveProduct(client, tenantId, coverage)) === undefined)
            throw resourceNotFound(providerResourceType);
          return { row, product };
        }),
      );
      const data = providerWithProductsType.toResource(row, publicUrl(), call.query.fields.get(PROVIDERS));
      return { status: 202, document: { data, meta: { findings: product.findings.total } } };
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
  return [list, get, update, resolve, remove];
}

function unknownProduct() {
  return notFound('No product with this name has reported findings of the provider.', {
    pointer: '/data/attributes/product',
  });
}

/** Returns the id in the path, in lower case. Throws an ApiError (404) if it is malformed. */
function providerId({ id = '' }: Readonly<Record<string, string>>): string {
  if (!isUuid(id)) throw resourceNotFound(providerResourceType);
  return id.toLowerCase();
}
