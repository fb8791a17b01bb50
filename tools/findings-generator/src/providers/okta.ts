import { oktaCatalog } from '../controls/okta.ts';
import { hashOf, hex8 } from '../random.ts';
import type { Provider } from './provider.ts';

/** Okta organizations. `org.uid` is the scanner's client ID, not the account. */
export const okta: Provider = {
  accountType: 'Other',
  accountTypeId: 99,
  regions: ['global'],
  catalog: oktaCatalog,
  account(ordinal) {
    const uid = `example-${ordinal + 1}.okta.com`;
    const client = `0oa${hex8(hashOf(51, ordinal))}${hex8(hashOf(52, ordinal))}`;
    return { uid, name: uid, providerUid: uid, tenantUid: client, org: { uid: client } };
  },
};
