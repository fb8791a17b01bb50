import { type Client, createClient } from './client.ts';
import { createKey, createUser } from './operator.ts';
import type { TenantService } from './service.ts';

export interface SecondTenant {
  readonly id: string;
  readonly key: string;
  readonly client: Client;
}

/** Creates a second tenant as an operator would, with a user who has all permissions. */
export async function createSecondTenant(service: TenantService): Promise<SecondTenant> {
  const email = 'second@example.com';
  const { id } = await service.sluiceJson<{ id: string }>('tenant', 'create', 'Second');
  await createUser(service, id, email);
  const key = await createKey(service, id, email);
  return { id, key, client: createClient(service.url, key) };
}
