import { queryOptions } from '@tanstack/react-query';
import { type Api, readDocument } from '../../../lib/api/api.ts';
import type { components } from '../../../lib/api/schema.d.ts';

export type Product = components['schemas']['ProviderWithProductsAttributes']['products'][number];

/** The products that reported findings of a provider, with their numbers of open findings, by name. */
export const productsQuery = (api: Api, providerId: string) =>
  queryOptions({
    queryKey: ['providers', 'products', providerId],
    queryFn: async ({ signal }): Promise<readonly Product[]> => {
      const query = { 'fields[providers]': ['products' as const] };
      const { data } = await readDocument(
        api.GET('/api/v1/providers/{id}', { params: { path: { id: providerId }, query }, signal }),
      );
      return data.attributes.products;
    },
    // The user confirms the counts.
    staleTime: 0,
  });
