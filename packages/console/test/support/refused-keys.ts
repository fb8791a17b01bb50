import { createKey, createUser, type Operator } from '../../../server/test/support/operator.ts';

/** Keys that the service knows, and that may not upload. */
export interface RestrictedKeys {
  /** Of a tenant without a subscription: 402. */
  readonly unpaid: string;
  /** Of a user who may not manage ingestions, in a tenant with a subscription: 403. */
  readonly lacking: string;
}

export async function createRestrictedKeys(service: Operator): Promise<RestrictedKeys> {
  const keyIn = async (subscription: 'active' | 'none', permissions?: string) => {
    const words = ['tenant', 'create', `Subscription ${subscription}`, '--subscription', subscription];
    const { id } = await service.sluiceJson<{ id: string }>(...words);
    await createUser(service, id, 'somebody@example.com', permissions);
    return await createKey(service, id, 'somebody@example.com');
  };
  return { unpaid: await keyIn('none'), lacking: await keyIn('active', 'manage_scans') };
}
