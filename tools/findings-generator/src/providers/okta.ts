import { hashOf, hex8 } from '../random.ts';
import type { Provider, ResourceType } from './provider.ts';

const application: ResourceType = {
  type: 'OktaApplication',
  noun: 'Application',
  name: (baseName, id) => `${baseName} ${id.slice(0, 8)}`,
  uid: (at) => `0oa${at.id}`,
  metadata: (_at, tags, random) => ({
    status: random.pick(['ACTIVE', 'ACTIVE', 'INACTIVE']),
    sign_on: {
      mode: random.pick(['SAML_2_0', 'OPENID_CONNECT']),
      client_id: `0oa${random.hex(17)}`,
      audience: null,
    },
    access_policy: `rst${random.hex(17)}`,
    groups: Array.from({ length: 1 + random.below(3) }, () => `00g${random.hex(17)}`),
    owners: tags.map(({ value }) => value),
  }),
};

const policy: ResourceType = {
  type: 'OktaPolicy',
  noun: 'Policy',
  name: (baseName, id) => `Policy ${baseName} ${id.slice(0, 8)}`,
  uid: (at) => `00p${at.id}`,
  metadata: (_at, _tags, random) => ({
    priority: 1 + random.below(20),
    groups: Array.from({ length: 1 + random.below(3) }, () => `00g${random.hex(17)}`),
    rules: Array.from({ length: 1 + random.below(2) }, () => ({
      id: `0pr${random.hex(17)}`,
      max_idle_minutes: random.pick([15, 60, 120, 480]),
      persistent_cookie: random.chance(0.3) ? true : null,
    })),
  }),
};

/** Okta organizations. `org.uid` is the scanner's client ID, not the account. */
export const okta: Provider = {
  accountType: 'Other',
  accountTypeId: 99,
  regions: ['global'],
  resourceTypes: [application, policy],
  account(ordinal) {
    const uid = `example-${ordinal + 1}.okta.com`;
    const client = `0oa${hex8(hashOf(51, ordinal))}${hex8(hashOf(52, ordinal))}`;
    return { uid, name: uid, providerUid: uid, tenantUid: client, org: { uid: client } };
  },
};
