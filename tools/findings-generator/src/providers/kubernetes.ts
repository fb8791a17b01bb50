import { kubernetesCatalog } from '../controls/kubernetes.ts';
import { hashOf, hex8 } from '../random.ts';
import type { Provider } from './provider.ts';

/** Kubernetes clusters. Records have no `cloud` object; the account is the context of the kubeconfig. */
export const kubernetes: Provider = {
  accountType: 'Other',
  accountTypeId: 99,
  regions: ['default', 'payments', 'kube-system', 'observability', 'batch-jobs'],
  catalog: kubernetesCatalog,
  account(ordinal) {
    const uid = `cluster-${ordinal + 1}-${hex8(hashOf(41, ordinal)).slice(0, 6)}`;
    return { uid, name: `context: admin@${uid}`, providerUid: `admin@${uid}`, org: {} };
  },
};
