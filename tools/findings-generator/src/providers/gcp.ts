import { gcpCatalog } from '../controls/gcp.ts';
import { hashOf, hex8 } from '../random.ts';
import type { Provider } from './provider.ts';

/** Google Cloud projects. */
export const gcp: Provider = {
  accountType: 'GCP Account',
  accountTypeId: 5,
  regions: ['europe-west1', 'europe-west4', 'us-central1', 'asia-northeast1'],
  catalog: gcpCatalog,
  account(ordinal) {
    const uid = `workload-${ordinal + 1}-${hex8(hashOf(31, ordinal)).slice(0, 6)}`;
    const org = '417203958812';
    return { uid, name: uid, providerUid: uid, tenantUid: org, org: { name: 'example.com', uid: org } };
  },
};
