import type { Zone } from '../../../src/directory/snapshot.ts';

/** An active blocklist that covers anonymizers. */
export function zone(fields: Partial<Zone> = {}): Zone {
  return {
    id: 'zone-1',
    name: 'Anonymizers',
    status: 'ACTIVE',
    type: 'DYNAMIC_V2',
    usage: 'BLOCKLIST',
    system: false,
    gateways: [],
    proxies: [],
    categories: ['ALL_ANONYMIZERS'],
    excludedCategories: [],
    proxyType: null,
    ...fields,
  };
}
