import { createKey, createUser, type Operator } from '../../../server/test/support/operator.ts';

/** Valid API keys that can't upload files. */
export interface RestrictedKeys {
  /** A key in a tenant without a subscription. Uploads return 402. */
  readonly withoutSubscription: string;
  /** The key of a user without manage_ingestions in a tenant with a subscription. Uploads return 403. */
  readonly withoutPermission: string;
}

export async function createRestrictedKeys(service: Operator): Promise<RestrictedKeys> {
  const createKeyInTenant = async (subscription: 'active' | 'none', permissions?: string) => {
    const args = ['tenant', 'create', `Subscription ${subscription}`, '--subscription', subscription];
    const { id } = await service.sluiceJson<{ id: string }>(...args);
    await createUser(service, id, 'somebody@example.com', permissions);
    return await createKey(service, id, 'somebody@example.com');
  };
  return {
    withoutSubscription: await createKeyInTenant('none'),
    withoutPermission: await createKeyInTenant('active', 'manage_scans'),
  };
}
