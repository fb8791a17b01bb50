import { z } from 'zod';
import type { ApiDependencies } from '../../api/dependencies.ts';
import type { Endpoint } from '../../api/endpoint.ts';
import { readAsTenant } from '../../db/transaction.ts';
import { equalityFilters, filter, searchIn } from '../../jsonapi/filters.ts';
import { isUuid } from '../../jsonapi/identifier.ts';
import { listAnswer } from '../../jsonapi/list-answer.ts';
import { documentOf, listOf } from '../../jsonapi/schemas.ts';
import { changeProviderEndpoints, noProvider } from './change-endpoints.ts';
import { findProvidersByIds, listProviders } from './repository.ts';
import { PROVIDERS, providerResource, providers } from './resource.ts';

const fields = { [PROVIDERS]: providers.attributes };

const filters = {
  ...equalityFilters('type', 'type', z.string(), 'text'),
  ...equalityFilters('account', 'account', z.string(), 'text'),
  alias: filter({
    description: 'Only those whose alias is this',
    schema: z.string(),
    condition: (value) => ({ sql: (bind) => `alias = ${bind(value)}::text` }),
  }),
  search: searchIn('Only those with this text in their account, name or alias', ['account', 'name', 'alias']),
};

/** The endpoints of providers: who has a key of the tenant may read them. */
export function providerEndpoints(dependencies: ApiDependencies): readonly Endpoint[] {
  const { pool, publicUrl } = dependencies;
  const list: Endpoint = {
    method: 'GET',
    path: '/providers',
    operationId: 'listProviders',
    tag: 'Providers',
    summary: 'List providers',
    description: 'Findings are counted for each request; name other fields where you need no counts.',
    access: {},
    query: {
      fields,
      filters,
      list: {
        sorts: {
          type: { sql: 'type', type: 'text' },
          account: { sql: 'account', type: 'text' },
          alias: { sql: 'alias', type: 'text', nullable: true },
          inserted_at: { sql: 'created_at', type: 'timestamptz' },
        },
        defaultSort: 'type,account',
      },
    },
    answers: { 200: { description: 'A page of providers', schema: listOf(providers) } },
    handle: async ({ request, access: { tenantId }, query }) => {
      const wanted = query.fields.get(PROVIDERS);
      const page = await readAsTenant(pool, tenantId, (client) =>
        listProviders(client, tenantId, query, wanted),
      );
      const data = page.rows.map((row) => providerResource(row, publicUrl(), wanted));
      return listAnswer({ data, page, query, request, publicUrl: publicUrl() });
    },
  };

  const get: Endpoint = {
    method: 'GET',
    path: '/providers/{id}',
    operationId: 'getProvider',
    tag: 'Providers',
    summary: 'Get a provider',
    access: {},
    query: { fields },
    answers: { 200: { description: 'The provider', schema: documentOf(providers) } },
    handle: async ({ access: { tenantId }, params: { id = '' }, query }) => {
      const wanted = query.fields.get(PROVIDERS);
      const rows = isUuid(id)
        ? await readAsTenant(pool, tenantId, (client) => findProvidersByIds(client, tenantId, [id], wanted))
        : [];
      const [row] = rows;
      if (row === undefined) throw noProvider();
      return { status: 200, document: { data: providerResource(row, publicUrl(), wanted) } };
    },
  };
  return [list, get, ...changeProviderEndpoints(dependencies)];
}
