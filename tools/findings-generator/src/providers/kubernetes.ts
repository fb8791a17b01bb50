import { hashOf, hex8, ipv4 } from '../random.ts';
import type { Provider, ResourceType } from './provider.ts';

const pod: ResourceType = {
  type: 'Pod',
  noun: 'Pod',
  name: (baseName, id) => `${baseName}-${id.slice(0, 8)}-${id.slice(8, 13)}`,
  uid: (at) => `${at.region}/pod/${at.name}`,
  metadata: (_at, tags, random) => ({
    uid: random.uuid(),
    labels: Object.fromEntries(tags.map(({ key, value }) => [key, value])),
    node_name: `node-${random.hex(5)}`,
    pod_ip: ipv4(10, random),
    host_pid: null,
    host_network: random.chance(0.1) ? 'True' : null,
    security_context: { run_as_user: random.chance(0.5) ? 1000 + random.below(64) : null, sysctls: null },
    containers: {
      main: {
        image: `registry.example.org/app@sha256:${random.hex(64)}`,
        command: ['exec "$APP_HOME\\bin" --log={json}'],
        env: null,
      },
    },
  }),
};

const role: ResourceType = {
  type: 'Role',
  noun: 'Role',
  name: (baseName, id) => `${baseName}:${id.slice(0, 8)}`,
  uid: (at) => `${at.region}/role/${at.name}`,
  metadata: (_at, _tags, random) => ({
    uid: random.uuid(),
    annotations: null,
    rules: Array.from({ length: 1 + random.below(2) }, () => ({
      resources: [random.pick(['pods', 'secrets', 'deployments', 'jobs', '*'])],
      verbs: [random.pick(['get', 'list', 'create', '*'])],
      resource_names: null,
    })),
    subjects: [{ kind: 'ServiceAccount', name: `sa-${random.hex(32)}`, api_group: null }],
  }),
};

/** Kubernetes clusters. Records have no `cloud` object; the account is the context of the kubeconfig. */
export const kubernetes: Provider = {
  accountType: 'Other',
  accountTypeId: 99,
  regions: ['default', 'payments', 'kube-system', 'observability', 'batch-jobs'],
  resourceTypes: [pod, role],
  account(ordinal) {
    const uid = `cluster-${ordinal + 1}-${hex8(hashOf(41, ordinal)).slice(0, 6)}`;
    return { uid, name: `context: admin@${uid}`, providerUid: `admin@${uid}`, org: {} };
  },
};
