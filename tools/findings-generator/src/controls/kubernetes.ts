import type { NonEmpty } from '../random.ts';
import { pod } from '../resource-types/kubernetes.ts';
import { type Catalog, type Control, interleave, mapEach } from './control.ts';
import { PERMISSION_CONTROLS } from './kubernetes-permissions.ts';

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

export const kubernetesCatalog: Catalog = {
  controls: interleave(POD_CONTROLS, ...PERMISSION_CONTROLS, mapEach(CAPABILITIES, capabilityControl)),
  further: hostPortControl,
};

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
