import type { NonEmpty } from '../random.ts';
import { role } from '../resource-types/kubernetes.ts';
import { type Control, mapEach } from './control.ts';

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

/** One list of controls per resource, with one control for each verb. */
export const PERMISSION_CONTROLS = mapEach(PERMISSIONS, (permission) =>
  mapEach(permission.verbs, (verb) => permissionControl(verb, permission)),
);

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
