import { azureCatalog } from '../controls/azure.ts';
import { hashOf, hex8, mix, uuidOf } from '../random.ts';
import type { Provider } from './provider.ts';

/** Azure subscriptions in one directory tenant. */
export const azure: Provider = {
  accountType: 'Azure AD Account',
  accountTypeId: 6,
  partition: 'AzureCloud',
  regions: ['westeurope', 'northeurope', 'eastus2', 'australiaeast'],
  catalog: azureCatalog,
  account(ordinal) {
    const uid = uuidFor(21, ordinal);
    const tenant = uuidFor(22, 0);
    return {
      uid,
      name: `sub-workload-${String(ordinal + 1).padStart(3, '0')}`,
      providerUid: uid,
      tenantUid: tenant,
      org: { name: 'example.onmicrosoft.com', uid: tenant },
    };
  },
};

function uuidFor(stream: number, ordinal: number): string {
  const digits = [0, 1, 2].map((part) => hex8(hashOf(stream, ordinal, part)));
  return uuidOf(digits.join('') + hex8(mix(ordinal + stream)), 4);
}
