import { createApiKey, formatApiKey } from '../../../src/auth/api-keys.ts';
import { createSecondTenant } from '../../support/second-tenant.ts';
import type { Service } from '../../support/service.ts';

const ADMIN = 'admin@localhost';
const NEWCOMER = 'firstTenant@example.com';

/** API keys that cannot push, created with admin commands. */
export interface UselessKeys {
  /** Well-formed, but unknown to the service. */
  readonly unknown: string;
  readonly revoked: string;
  /** Restricted to permissions that exclude pushing. */
  readonly restricted: string;
  /** The key of a user without the permission to push. */
  readonly ofUserWithout: string;
  /** The key of a tenant without a subscription. */
  readonly unpaid: string;
}

export async function createUselessKeys(service: Service): Promise<UselessKeys> {
  const sluice = (...words: string[]) => service.sluiceJson<Record<string, string>>(...words);
  const ofTenant = ['--tenant', service.tenantId];
  const createKey = async (tenant: string, user: string, ...words: string[]) => {
    const { key = '' } = await sluice('api-key', 'create', '--tenant', tenant, '--user', user, ...words);
    return key;
  };
  const unpaid = await createSecondTenant(service);
  await sluice('subscription', 'set', '--tenant', unpaid.id, 'none');
  await sluice('user', 'create', ...ofTenant, '--email', NEWCOMER, '--permissions', 'manage_scans');
  const revoked = await createKey(service.tenantId, ADMIN);
  await sluice('api-key', 'revoke', ...ofTenant, revoked.split('.')[0] ?? '');
  return {
    unknown: formatApiKey(createApiKey()),
    revoked,
    restricted: await createKey(service.tenantId, ADMIN, '--permissions', 'manage_scans'),
    ofUserWithout: await createKey(service.tenantId, NEWCOMER),
    unpaid: await createKey(unpaid.id, 'second@example.com'),
  };
}
