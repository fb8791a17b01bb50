import { ipv4 } from '../random.ts';
import type { ResourceType } from './resource-type.ts';

export const pod: ResourceType = {
  type: 'Pod',
  noun: 'Pod',
  name: (baseName, id) => `${baseName}-${id.slice(0, 8)}-${id.slice(8, 13)}`,
  uid: (at) => `${at.region}/pod/${at.name}`,
  metadata: (_at, tags, random) => ({
    uid: random.uuid(),
    labels: Object.fromEntries(tags.map(({ key, value }) => [key, value])),
    node_name: `node-${random.hex(5)}`,
    pod_ip: ipv4(10, random),
    containers: {
      main: {
        image: `registry.example.org/app@sha256:${random.hex(64)}`,
        command: ['exec "$APP_HOME\\bin" --log={json}'],
      },
    },
  }),
};

export const role: ResourceType = {
  type: 'Role',
  noun: 'Role',
  name: (baseName, id) => `${baseName}:${id.slice(0, 8)}`,
  uid: (at) => `${at.region}/role/${at.name}`,
  metadata: (at, _tags, random) => ({
    uid: random.uuid(),
    annotations: null,
    resource_version: String(random.below(10_000_000)),
    role_bindings: [
      {
        name: `${at.name}-binding`,
        subjects: [{ kind: 'ServiceAccount', name: `sa-${random.hex(8)}`, api_group: null }],
      },
    ],
  }),
};
