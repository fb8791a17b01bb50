import { z } from 'zod';
import type { Subscription } from '../../auth/provisioning.ts';
import { type Queryable, readAsTenant } from '../../db/transaction.ts';
import type { ApiDependencies } from '../../http/endpoints/dependencies.ts';
import type { Endpoint } from '../../http/endpoints/endpoint.ts';
import { API_PREFIX } from '../../jsonapi/document.ts';
import { selectFields } from '../../jsonapi/query.ts';
import { describeResource, documentOf } from '../../jsonapi/schemas.ts';

const SUBSCRIPTIONS = 'subscriptions';

const count = z.int().min(0);

const subscriptions = describeResource({
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

/** A tenant's subscription and billed providers. */
interface SubscriptionRow {
  readonly state: Subscription;
  /** Number of live providers by type, in alphabetical order. */
  readonly byType: readonly { readonly type: string; readonly providers: number }[];
}

/** Converts the subscription to a resource object. */
function subscriptionResource(
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

/** Returns a tenant's subscription. Throws if the tenant does not exist. */
async function findSubscription(client: Queryable, tenantId: string): Promise<SubscriptionRow> {
  const { rows } = await client.query<{ state: Subscription }>(
    'select subscription as state from tenants where tenant_id = $1',
    [tenantId],
  );
  const [tenant] = rows;
  if (tenant === undefined) throw new Error(`tenant ${tenantId} does not exist`);
  const counted = await client.query<{ type: string; providers: number }>(
    `select type, count(*)::float8 as providers from providers
     where tenant_id = $1 and deleted_at is null group by type order by type collate "C"`,
    [tenantId],
  );
  return { state: tenant.state, byType: counted.rows };
}

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
