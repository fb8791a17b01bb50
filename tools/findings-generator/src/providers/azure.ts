import { hashOf, hex8, ipv4, mix, uuidOf } from '../random.ts';
import type { Placement, Provider, ResourceType } from './provider.ts';

function uuidFor(stream: number, ordinal: number): string {
  const digits = [0, 1, 2].map((part) => hex8(hashOf(stream, ordinal, part)));
  return uuidOf(digits.join('') + hex8(mix(ordinal + stream)), 4);
}

function resourceId(at: Placement, type: string): string {
  const group = `rg-${at.id.slice(12)}`;
  return `/subscriptions/${at.account.uid}/resourceGroups/${group}/providers/${type}/${at.name}`;
}

const storage: ResourceType = {
  type: 'Microsoft.Storage/storageAccounts',
  noun: 'Storage account',
  name: (baseName, id) => `${baseName.replaceAll('-', '')}${id.slice(0, 8)}`,
  uid: (at) => resourceId(at, 'Microsoft.Storage/storageAccounts'),
  metadata: (_at, tags, random) => ({
    etag: random.hex(40),
    encryption_key: random.chance(0.4)
      ? `https://kv-${random.hex(8)}.vault.azure.net/keys/${random.hex(32)}`
      : null,
    network_rules: { default_action: random.pick(['Allow', 'Deny']), ip_rules: [ipv4(198, random)] },
    tags: Object.fromEntries(tags.map(({ key, value }) => [key, value])),
  }),
};

const machine: ResourceType = {
  type: 'Microsoft.Compute/virtualMachines',
  noun: 'Virtual machine',
  name: (baseName, id) => `vm-${baseName}-${id.slice(0, 8)}`,
  uid: (at) => resourceId(at, 'Microsoft.Compute/virtualMachines'),
  metadata: (_at, _tags, random) => ({
    vm_id: random.uuid(),
    size: random.pick(['Standard_D4s_v5', 'Standard_B2ms', 'Standard_E8as_v5']),
    os_disk: { id: random.uuid(), encryption: null },
    data_disks: Array.from({ length: random.below(3) }, () => random.uuid()),
  }),
};

const vault: ResourceType = {
  type: 'Microsoft.KeyVault/vaults',
  noun: 'Key vault',
  name: (baseName, id) => `kv-${baseName}-${id.slice(0, 8)}`,
  uid: (at) => resourceId(at, 'Microsoft.KeyVault/vaults'),
  metadata: (at, _tags, random) => ({
    tenant_id: random.uuid(),
    rbac: random.chance(0.5),
    purge_protection: random.chance(0.5) ? true : null,
    keys: Array.from({ length: random.below(3) }, () => ({
      id: `https://${at.name}.vault.azure.net/keys/${random.hex(32)}`,
      expires: random.chance(0.5) ? 1_790_000_000 + random.below(50_000_000) : null,
    })),
  }),
};

/** Azure subscriptions in one directory tenant. */
export const azure: Provider = {
  accountType: 'Azure AD Account',
  accountTypeId: 6,
  partition: 'AzureCloud',
  regions: ['westeurope', 'northeurope', 'eastus2', 'australiaeast'],
  resourceTypes: [storage, machine, vault],
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
