import { z } from 'zod';
import { API_PREFIX } from '../../jsonapi/document.ts';
import { selectFields } from '../../jsonapi/query.ts';
import { describeResource } from '../../jsonapi/schemas.ts';
import type { SubscriptionRow } from './repository.ts';

export const SUBSCRIPTIONS = 'subscriptions';

const count = z.int().min(0);

export const subscriptions = describeResource({
  type: SUBSCRIPTIONS,
  description: "The tenant's subscription; its id is the tenant's",
  attributes: {
    state: z.enum(['active', 'none']).meta({ description: 'Uploads need an active one' }),
    providers: count.meta({ description: 'Providers counted: one per account, deleted ones not' }),
    providers_by_type: z.array(z.strictObject({ type: z.string(), providers: count })),
  },
});

/** The tenant's subscription as a resource object. */
export function subscriptionResource(
  tenantId: string,
  { state, byType }: SubscriptionRow,
  publicUrl: string,
  fields?: ReadonlySet<string>,
) {
  const providers = byType.reduce((sum, { providers }) => sum + providers, 0);
  return {
    type: SUBSCRIPTIONS,
    id: tenantId,
    attributes: selectFields({ state, providers, providers_by_type: byType }, fields),
    links: { self: `${publicUrl}${API_PREFIX}/subscription` },
  };
}
