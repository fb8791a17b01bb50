import type { ResourceType } from './resource-type.ts';

export const application: ResourceType = {
  type: 'OktaApplication',
  noun: 'Application',
  name: (baseName, id) => `${baseName} ${id.slice(0, 8)}`,
  uid: (at) => `0oa${at.id}`,
  metadata: (_at, tags, random) => ({
    status: 'ACTIVE',
    client_id: `0oa${random.hex(17)}`,
    access_policy: `rst${random.hex(17)}`,
    groups: Array.from({ length: 1 + random.below(3) }, () => `00g${random.hex(17)}`),
    owners: tags.filter(({ key }) => key === 'owner').map(({ value }) => value),
  }),
};

export const sessionPolicy: ResourceType = {
  type: 'OktaPolicy',
  noun: 'Global session policy',
  name: (baseName, id) => `${baseName} ${id.slice(0, 8)}`,
  uid: (at) => `00p${at.id}`,
  metadata: (_at, _tags, random) => ({
    status: 'ACTIVE',
    priority: 1 + random.below(20),
    groups: Array.from({ length: 1 + random.below(3) }, () => `00g${random.hex(17)}`),
    rule_id: `0pr${random.hex(17)}`,
  }),
};
