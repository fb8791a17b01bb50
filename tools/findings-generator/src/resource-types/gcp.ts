import { ipv4 } from '../random.ts';
import type { ResourceType } from './resource-type.ts';

export const bucket: ResourceType = {
  type: 'storage.googleapis.com/Bucket',
  noun: 'Storage bucket',
  name: (baseName, id) => `${baseName}-${id.slice(0, 8)}`,
  uid: (at) => `//storage.googleapis.com/${at.name}`,
  metadata: (_at, tags, random) => ({
    etag: random.hex(48),
    storage_class: random.pick(['STANDARD', 'NEARLINE', 'COLDLINE']),
    location_type: random.pick(['region', 'multi-region']),
    labels: Object.fromEntries(tags.map(({ key, value }) => [key, value])),
  }),
};

export const instance: ResourceType = {
  type: 'compute.googleapis.com/Instance',
  noun: 'VM instance',
  name: (baseName, id) => `vm-${baseName}-${id.slice(0, 8)}`,
  uid: (at) => String(BigInt(`0x${at.id}`)),
  metadata: (at, _tags, random) => ({
    zone: `${at.region}-${random.pick(['a', 'b', 'c'])}`,
    machine_type: random.pick(['e2-standard-4', 'n2-highmem-8', 'c3-standard-22']),
    network: { name: `networks/net-${random.hex(12)}`, ip: ipv4(10, random) },
    fingerprint: random.hex(24),
  }),
};

export const serviceAccount: ResourceType = {
  type: 'iam.googleapis.com/ServiceAccount',
  noun: 'Service account',
  name: (_baseName, id) => `sa-${id.slice(0, 8)}`,
  uid: (at) => `${at.name}@${at.account.uid}.iam.gserviceaccount.com`,
  metadata: (_at, _tags, random) => ({
    unique_id: String(1_000_000_000 + random.below(1_000_000_000)),
    display_name: random.chance(0.5) ? `Export job "${random.hex(6)}"` : null,
    disabled: false,
    etag: random.hex(40),
  }),
};

export const firewallRule: ResourceType = {
  type: 'compute.googleapis.com/Firewall',
  noun: 'Firewall rule',
  name: (baseName, id) => `allow-${baseName}-${id.slice(0, 8)}`,
  uid: (at) => `//compute.googleapis.com/projects/${at.account.uid}/global/firewalls/${at.name}`,
  metadata: (_at, _tags, random) => ({
    network: `networks/net-${random.hex(12)}`,
    direction: 'INGRESS',
    priority: random.pick([900, 1000, 1100]),
    target_tags: [`tag-${random.hex(6)}`],
  }),
};
