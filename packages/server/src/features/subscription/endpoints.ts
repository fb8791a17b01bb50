import { readAsTenant } from '../../db/transaction.ts';
import type { ApiDependencies } from '../../http/endpoints/dependencies.ts';
import type { Endpoint } from '../../http/endpoints/endpoint.ts';
import { documentOf } from '../../jsonapi/schemas.ts';
import { findSubscription } from './repository.ts';
import { SUBSCRIPTIONS, subscriptionResource, subscriptions } from './resource.ts';

/** The subscription endpoint. Any of the tenant's API keys can read the subscription, even if it is not active. */
export function subscriptionEndpoints({ pool, publicUrl }: ApiDependencies): readonly Endpoint[] {
  return [
    {
      method: 'GET',
      path: '/subscription',
      operationId: 'getSubscription',
      tag: 'Account',
      summary: 'Get the subscription',
      description: 'Returns the state of the subscription and the number of billed providers.',
      access: { permissions: [] },
      query: { fields: { [SUBSCRIPTIONS]: subscriptions.attributes } },
      responses: { 200: { description: 'The subscription.', schema: documentOf(subscriptions) } },
      handle: async ({ access: { tenantId }, query }) => {
        const row = await readAsTenant(pool, tenantId, (client) => findSubscription(client, tenantId));
        const fields = query.fields.get(SUBSCRIPTIONS);
        return { status: 200, document: { data: subscriptionResource(tenantId, row, publicUrl(), fields) } };
      },
    },
  ];
}
