import { ipv4 } from '../random.ts';
import type { Placement, ResourceType } from './resource-type.ts';

function resourceId(at: Placement, type: string): string {
  const group = `rg-${at.id.slice(12)}`;
  return `/subscriptions/${at.account.uid}/resourceGroups/${group}/providers/${type}/${at.name}`;
}

export const storageAccount: ResourceType = {
  type: 'Microsoft.Storage/storageAccounts',
  noun: 'Storage account',
  name: (baseName, id) => `${baseName.replaceAll('-', '')}${id.slice(0, 8)}`,
  uid: (at) => resourceId(at, 'Microsoft.Storage/storageAccounts'),
  metadata: (_at, tags, random) => ({
    etag: random.hex(40),
    sku: random.pick(['Standard_LRS', 'Standard_GRS', 'Premium_ZRS']),
    access_tier: random.pick(['Hot', 'Cool']),
    tags: Object.fromEntries(tags.map(({ key, value }) => [key, value])),
  }),
};

export const virtualMachine: ResourceType = {
  type: 'Microsoft.Compute/virtualMachines',
  noun: 'Virtual machine',
  name: (baseName, id) => `vm-${baseName}-${id.slice(0, 8)}`,
  uid: (at) => resourceId(at, 'Microsoft.Compute/virtualMachines'),
  metadata: (_at, _tags, random) => ({
    vm_id: random.uuid(),
    size: random.pick(['Standard_D4s_v5', 'Standard_B2ms', 'Standard_E8as_v5']),
    private_ip: ipv4(10, random),
    os_disk: { id: random.uuid(), size_gb: random.pick([64, 128, 512]) },
  }),
};

export const keyVault: ResourceType = {
  type: 'Microsoft.KeyVault/vaults',
  noun: 'Key vault',
  name: (baseName, id) => `kv-${baseName}-${id.slice(0, 8)}`,
  uid: (at) => resourceId(at, 'Microsoft.KeyVault/vaults'),
  metadata: (at, _tags, random) => ({
    tenant_id: random.uuid(),
    sku: random.pick(['standard', 'premium']),
    vault_uri: `https://${at.name}.vault.azure.net/`,
  }),
};

export const securityGroup: ResourceType = {
  type: 'Microsoft.Network/networkSecurityGroups',
  noun: 'Network security group',
  name: (baseName, id) => `nsg-${baseName}-${id.slice(0, 8)}`,
  uid: (at) => resourceId(at, 'Microsoft.Network/networkSecurityGroups'),
  metadata: (_at, _tags, random) => ({
    etag: random.hex(40),
    subnets: Array.from({ length: 1 + random.below(3) }, () => `subnet-${random.hex(8)}`),
  }),
};
