import { awsCatalog } from '../controls/aws.ts';
import type { Provider } from './provider.ts';

/** AWS accounts without an organization. As with real accounts, some IDs begin with 0. */
export const aws: Provider = {
  accountType: 'AWS Account',
  accountTypeId: 10,
  partition: 'aws',
  regions: ['us-east-1', 'eu-west-1', 'eu-central-1', 'ap-southeast-2', 'us-west-2'],
  catalog: awsCatalog,
  account(ordinal) {
    // The step and 10^12 are coprime, so ordinals never collide.
    const uid = String((482_913_570_264 + ordinal * 590_147_286_397) % 1_000_000_000_000).padStart(12, '0');
    return { uid, name: '', providerUid: uid, tenantUid: '', org: { name: '', uid: '' } };
  },
};
