import { hashOf, hex8, ipv4 } from '../random.ts';
import type { Placement, Provider, ResourceType } from './provider.ts';

function email(at: Placement): string {
  return `${at.name}@${at.account.uid}.iam.gserviceaccount.com`;
}

const bucket: ResourceType = {
  type: 'storage.googleapis.com/Bucket',
  noun: 'Storage bucket',
  name: (baseName, id) => `${baseName}-${id.slice(0, 8)}`,
  uid: (at) => `//storage.googleapis.com/${at.name}`,
  metadata: (at, tags, random) => ({
    etag: random.hex(48),
    public: random.chance(0.1),
    kms_key: random.chance(0.4)
      ? `projects/${at.account.uid}/keyRings/${random.hex(8)}/cryptoKeys/${random.hex(16)}`
      : null,
    iam: {
      role: 'roles/storage.objectViewer',
      members: [`serviceAccount:job-${random.hex(8)}`],
      condition: null,
    },
    labels: Object.fromEntries(tags.map(({ key, value }) => [key, value])),
  }),
};

const instance: ResourceType = {
  type: 'compute.googleapis.com/Instance',
  noun: 'VM instance',
  name: (baseName, id) => `vm-${baseName}-${id.slice(0, 8)}`,
  uid: (at) => String(BigInt(`0x${at.id}`)),
  metadata: (at, _tags, random) => ({
    zone: `${at.region}-${random.pick(['a', 'b', 'c'])}`,
    machine_type: random.pick(['e2-standard-4', 'n2-highmem-8', 'c3-standard-22']),
    interfaces: [{ network: `networks/net-${random.hex(12)}`, ip: ipv4(10, random), nat_ip: null }],
    disks_encryption: [[`disk-${random.hex(16)}`, random.chance(0.5)]],
    fingerprint: random.hex(24),
  }),
};

const serviceAccount: ResourceType = {
  type: 'iam.googleapis.com/ServiceAccount',
  noun: 'Service account',
  name: (_words, id) => `sa-${id.slice(0, 8)}`,
  uid: email,
  metadata: (_at, _tags, random) => ({
    unique_id: String(1_000_000_000 + random.below(1_000_000_000)),
    display_name: random.chance(0.5) ? `Export job "${random.hex(6)}"` : null,
    keys: Array.from({ length: random.below(4) }, () => ({
      name: random.hex(40),
      type: random.pick(['USER_MANAGED', 'SYSTEM_MANAGED']),
    })),
  }),
};

/** Google Cloud projects. */
export const gcp: Provider = {
  accountType: 'GCP Account',
  accountTypeId: 5,
  regions: ['europe-west1', 'europe-west4', 'us-central1', 'asia-northeast1'],
  resourceTypes: [bucket, instance, serviceAccount],
  account(ordinal) {
    const uid = `workload-${ordinal + 1}-${hex8(hashOf(31, ordinal)).slice(0, 6)}`;
    const org = '417203958812';
    return { uid, name: uid, providerUid: uid, tenantUid: org, org: { name: 'example.com', uid: org } };
  },
};
