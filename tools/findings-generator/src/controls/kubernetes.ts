import type { NonEmpty } from '../random.ts';
import { pod, role } from '../resource-types/kubernetes.ts';
import { type Catalog, type Control, interleave, mapEach } from './control.ts';

/** Controls for pods. Their titles and descriptions are not copied from any scanner. */
const POD_CONTROLS: NonEmpty<Control> = [
  {
    resource: pod,
    service: 'core',
    code: 'pod_run_as_non_root',
    title: 'Pod runs all containers as a non-root user',
    desc: '**Pods** are evaluated for `runAsNonRoot` in the security context of the pod and of each container.',
    risk: 'A process that runs as root and escapes from its container is **root on the node**, with access to all pods on the node.',
    remedy:
      'Set `runAsNonRoot: true` and a numeric `runAsUser`, and adjust the ownership of files in the image.\n\nEnforce the *restricted* **Pod Security Standard** in the namespace.',
    pass: 'runs all containers as a non-root user.',
    fail: 'runs a container as root.',
    permission: 'to get pods',
    severity: 4,
    category: 'identity-access',
    evidence: (passed, _at, random) => ({
      security_context: { run_as_user: passed ? 1000 + random.below(64) : 0, run_as_non_root: passed },
    }),
  },
  {
    resource: pod,
    service: 'core',
    code: 'pod_no_privileged_containers',
    title: 'Pod has no privileged containers',
    desc: '**Pod** containers, including init and ephemeral containers, are evaluated for `privileged: true`.',
    risk: 'A privileged container has access to all devices of the node. An attacker who runs code in it can **take control of the node**.',
    remedy:
      'Remove `privileged: true`, and add only the capabilities that the container needs.\n\nEnforce the *baseline* **Pod Security Standard** in the namespace.',
    pass: 'has no privileged containers.',
    fail: 'has a privileged container.',
    permission: 'to get pods',
    severity: 5,
    category: 'identity-access',
    evidence: (passed) => ({ privileged: !passed }),
  },
  {
    resource: pod,
    service: 'core',
    code: 'pod_no_host_network',
    title: 'Pod does not use the host network',
    desc: '**Pods** are evaluated for `hostNetwork: true`, which shares the network namespace of the node.',
    risk: "The pod can capture the node's network traffic and reach services on `localhost`. **Network policies do not apply** to it.",
    remedy:
      'Remove `hostNetwork: true`, and expose the ports through a Service.\n\nMove node agents that need it to a **dedicated namespace**.',
    pass: 'does not use the host network.',
    fail: 'uses the host network.',
    permission: 'to get pods',
    severity: 4,
    category: 'internet-exposed',
    evidence: (passed) => ({ host_network: passed ? null : true }),
  },
  {
    resource: pod,
    service: 'core',
    code: 'pod_no_secrets_in_environment',
    title: 'Pod does not use secrets as environment variables',
    desc: '**Pod** containers are evaluated for `secretKeyRef` and `secretRef` in environment variables.',
    risk: 'Environment variables can appear in crash reports and logs, and **child processes inherit** them.',
    remedy:
      'Mount the secret as a volume with mode `0400`, and read it from the file.\n\nUse the **Secrets Store CSI Driver** to keep secrets out of etcd.',
    pass: 'does not use secrets as environment variables.',
    fail: 'uses a secret as an environment variable.',
    permission: 'to get pods',
    severity: 4,
    category: 'secrets',
    evidence: (passed) => ({ env: passed ? [] : [{ name: 'DB_PASSWORD', from: 'secretKeyRef' }] }),
  },
  {
    resource: pod,
    service: 'core',
    code: 'pod_read_only_root',
    title: 'Pod has read-only root file systems',
    desc: '**Pod** containers are evaluated for `readOnlyRootFilesystem: true`.',
    risk: 'With a writable root file system, an attacker can **install tools** or replace binaries in a running container.',
    remedy:
      'Set `readOnlyRootFilesystem: true`, and mount an `emptyDir` for temporary files.\n\nTest the image with `docker run --read-only` **before the rollout**.',
    pass: 'has read-only root file systems.',
    fail: 'has a writable root file system.',
    permission: 'to get pods',
    severity: 3,
    category: 'resilience',
    evidence: (passed) => ({ read_only_root_filesystem: passed }),
  },
  {
    resource: pod,
    service: 'core',
    code: 'pod_no_privilege_escalation',
    title: 'Pod does not allow privilege escalation',
    desc: '**Pod** containers are evaluated for `allowPrivilegeEscalation: false`. The default is `true`.',
    risk: 'A process can gain more privileges than its parent through `setuid` binaries and become **root in the container**.',
    remedy:
      'Set `allowPrivilegeEscalation: false` in the security context of each container.\n\nRemove `setuid` binaries from the **base image**.',
    pass: 'does not allow privilege escalation.',
    fail: 'allows privilege escalation.',
    permission: 'to get pods',
    severity: 4,
    category: 'identity-access',
    evidence: (passed) => ({ allow_privilege_escalation: !passed }),
  },
  {
    resource: pod,
    service: 'core',
    code: 'pod_seccomp_profile',
    title: 'Pod has a seccomp profile',
    desc: '**Pods** are evaluated for the seccomp profile `RuntimeDefault` or `Localhost`.',
    risk: 'Without a seccomp profile, containers can use every system call, including those with **known kernel exploits**.',
    remedy:
      'Set `seccompProfile.type: RuntimeDefault` in the security context of the pod.\n\nEnable `seccompDefault` in the **kubelet configuration** for all pods of a node.',
    pass: 'has a seccomp profile.',
    fail: 'does not have a seccomp profile.',
    permission: 'to get pods',
    severity: 3,
    category: 'vulnerabilities',
    evidence: (passed) => ({ seccomp_profile: passed ? 'RuntimeDefault' : 'Unconfined' }),
  },
];

const CAPABILITIES: NonEmpty<string> = [
  'SYS_ADMIN',
  'NET_ADMIN',
  'SYS_PTRACE',
  'NET_RAW',
  'SYS_MODULE',
  'DAC_READ_SEARCH',
  'DAC_OVERRIDE',
  'SYS_RAWIO',
  'SYS_BOOT',
  'SYS_TIME',
  'SYS_CHROOT',
  'SETUID',
  'SETGID',
  'SETFCAP',
  'MKNOD',
  'BPF',
  'PERFMON',
  'SYSLOG',
  'AUDIT_CONTROL',
  'MAC_ADMIN',
];

/** Combinations of verb and resource that give more access than their names suggest. */
const PERMISSIONS: NonEmpty<{ resource: string; apiGroup: string; verbs: NonEmpty<string>; impact: string }> =
  [
    {
      resource: 'secrets',
      apiGroup: '',
      verbs: ['list', 'create', 'update', 'patch', 'delete'],
      impact: 'read or replace **credentials** of the workloads in the namespace',
    },
    {
      resource: 'pods/exec',
      apiGroup: '',
      verbs: ['create'],
      impact: 'run commands in running containers and **use their service accounts**',
    },
    {
      resource: 'pods',
      apiGroup: '',
      verbs: ['create', 'patch', 'delete'],
      impact: 'run pods with any service account of the namespace, or **disrupt workloads**',
    },
    {
      resource: 'deployments',
      apiGroup: 'apps',
      verbs: ['create', 'update', 'patch', 'delete'],
      impact: 'run images of their choice, or **disrupt workloads**',
    },
    {
      resource: 'daemonsets',
      apiGroup: 'apps',
      verbs: ['create', 'update', 'patch'],
      impact: 'run a container on **every node** of the cluster',
    },
    {
      resource: 'serviceaccounts/token',
      apiGroup: '',
      verbs: ['create'],
      impact: 'issue tokens for **more privileged service accounts**',
    },
    {
      resource: 'roles',
      apiGroup: 'rbac.authorization.k8s.io',
      verbs: ['escalate', 'bind', 'create', 'update', 'patch'],
      impact: '**escalate privileges** in the cluster',
    },
    {
      resource: 'rolebindings',
      apiGroup: 'rbac.authorization.k8s.io',
      verbs: ['create', 'update', 'patch'],
      impact: 'bind further roles and **escalate privileges**',
    },
    {
      resource: 'persistentvolumes',
      apiGroup: '',
      verbs: ['create', 'delete'],
      impact: 'mount directories of the node, or cause **data loss**',
    },
    {
      resource: 'networkpolicies',
      apiGroup: 'networking.k8s.io',
      verbs: ['update', 'patch', 'delete'],
      impact: 'remove **network isolation** between workloads',
    },
    {
      resource: 'nodes/proxy',
      apiGroup: '',
      verbs: ['get', 'create'],
      impact: 'call the kubelet API and run commands in **all pods of a node**',
    },
    {
      resource: 'validatingwebhookconfigurations',
      apiGroup: 'admissionregistration.k8s.io',
      verbs: ['create', 'update', 'patch', 'delete'],
      impact: 'disable **admission control** or read all admitted objects',
    },
    {
      resource: 'certificatesigningrequests/approval',
      apiGroup: 'certificates.k8s.io',
      verbs: ['update', 'patch'],
      impact: 'issue **client certificates** for other identities',
    },
    {
      resource: 'configmaps',
      apiGroup: '',
      verbs: ['list', 'update', 'patch'],
      impact: 'read or change the **configuration** of the workloads in the namespace',
    },
  ];

export const kubernetesCatalog: Catalog = {
  controls: interleave(
    POD_CONTROLS,
    ...mapEach(PERMISSIONS, (permission) =>
      mapEach(permission.verbs, (verb) => permissionControl(verb, permission)),
    ),
    mapEach(CAPABILITIES, capabilityControl),
  ),
  further: hostPortControl,
};

function permissionControl(
  verb: string,
  { resource, apiGroup, impact }: Pick<(typeof PERMISSIONS)[0], 'resource' | 'apiGroup' | 'impact'>,
): Control {
  return {
    resource: role,
    service: 'rbac',
    code: `no_${verb}_${resource.replace('/', '_')}`,
    title: `Role does not grant ${verb} on ${resource}`,
    desc: `Rules of **roles and cluster roles** are evaluated for the verb \`${verb}\` on \`${resource}\`, including wildcards. System roles are excluded.`,
    risk: `An attacker who controls a service account with this permission can ${impact}.`,
    remedy:
      'Remove the verb from the rule, or limit the role to the objects that the workload needs.\n\nGive each workload **its own service account** with only the permissions that it uses.',
    pass: `does not grant ${verb} on ${resource}.`,
    fail: `grants ${verb} on ${resource}.`,
    permission: 'to list roles',
    severity: resource === 'configmaps' ? 2 : 4,
    category: 'identity-access',
    evidence: (passed) => ({
      rules: [
        { api_groups: ['batch'], resources: ['jobs'], verbs: ['get', 'list', 'watch'] },
        ...(passed ? [] : [{ api_groups: [apiGroup], resources: [resource], verbs: [verb] }]),
      ],
    }),
  };
}

function capabilityControl(capability: string): Control {
  return {
    resource: pod,
    service: 'core',
    code: `pod_no_capability_${capability.toLowerCase()}`,
    title: `Pod does not add the ${capability} capability`,
    desc: `**Pod** containers are evaluated for \`${capability}\` and \`ALL\` in \`capabilities.add\`.`,
    risk: 'Additional Linux capabilities weaken container isolation. Attackers can use them to **access the node** or the traffic of other pods.',
    remedy:
      'Drop `ALL` capabilities, and add only those that the container needs.\n\nEnforce the *restricted* **Pod Security Standard** in the namespace.',
    pass: `does not add the ${capability} capability.`,
    fail: `adds the ${capability} capability.`,
    permission: 'to get pods',
    severity: 4,
    category: 'identity-access',
    evidence: (passed) => ({ capabilities: { drop: ['ALL'], add: passed ? [] : [capability] } }),
  };
}

/** Alternates between TCP and UDP ports. */
function hostPortControl(number: number): Control {
  const protocol = number % 2 === 0 ? 'TCP' : 'UDP';
  const port = 1 + (number >>> 1);
  return {
    resource: pod,
    service: 'core',
    code: `pod_no_host_port_${protocol.toLowerCase()}_${port}`,
    title: `Pod does not use host port ${port}/${protocol}`,
    desc: `**Pod** containers are evaluated for a \`hostPort\` with the value \`${port}\` and the protocol ${protocol}.`,
    risk: 'A host port exposes the container on the address of its node, often **outside of network policies**, and may conflict with other pods.',
    remedy:
      'Remove `hostPort`, and expose the container through a Service or an Ingress.\n\nAllow host ports only for **node agents**.',
    pass: `does not use host port ${port}/${protocol}.`,
    fail: `uses host port ${port}/${protocol}.`,
    permission: 'to get pods',
    severity: 2,
    category: 'internet-exposed',
    evidence: (passed) => ({
      ports: [{ container_port: 8080, host_port: passed ? null : port, protocol }],
    }),
  };
}
