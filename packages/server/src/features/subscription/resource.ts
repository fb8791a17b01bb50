import { z } from 'zod';
import { API_PREFIX } from '../../jsonapi/document.ts';
import { selectFields } from '../../jsonapi/query.ts';
import { describeResource } from '../../jsonapi/schemas.ts';
import type { SubscriptionRow } from './repository.ts';

export const SUBSCRIPTIONS = 'subscriptions';

const count = z.int().min(0);

export const subscriptions = describeResource({
  type: SUBSCRIPTIONS,
  description: "The tenant's subscription. Its ID is the tenant ID.",
  attributes: {
    state: z.enum(['active', 'none']).meta({ description: 'Uploads require an active subscription.' }),
    providers: count.meta({
      description: 'Number of billed providers: one per account, excluding deleted providers.',
    }),
    providers_by_type: z
      .array(
        z.strictObject({
          type: z.string().meta({ description: 'Provider type in lower case, for example `aws`.' }),
          providers: count.meta({ description: 'Number of billed providers of this type.' }),
        }),
      )
      .meta({ description: 'Number of billed providers by type.' }),
  },
});

/** Converts the subscription to a resource object. */
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
