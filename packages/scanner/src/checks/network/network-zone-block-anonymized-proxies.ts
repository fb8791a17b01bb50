import type { Zone } from '../../directory/snapshot.ts';
import { couldNotRead, defineCheck } from '../check.ts';
import { compareText } from '../policy-rules.ts';
import { unreadResource } from '../unread-resource.ts';
import { coversAnonymizers } from './anonymizer-categories.ts';

export const check = defineCheck({
  id: 'network_zone_block_anonymized_proxies',
  service: 'network',
  severity: 'medium',
  title: 'An active blocklist zone covers anonymizing proxies',
  description:
    'A blocklist zone of the directory refuses requests before anyone can sign in. At least one active blocklist has to be an enhanced dynamic zone that includes the IP service categories of anonymizers, proxies or VPNs.',
  risk: 'Attackers hide where they come from behind anonymizing proxies, Tor and VPNs. Unless these are blocked, password spraying and the use of stolen sessions can be traced to no network.',
  remediation:
    'In the admin console open Security > Networks and activate DefaultEnhancedDynamicZone, or choose Add zone > Enhanced dynamic zone, select Block access from IPs matching conditions listed in this zone, include the category ALL_ANONYMIZERS, and save.',
  references: [
    'https://help.okta.com/en-us/Content/Topics/security/network/about-enhanced-dynamic-zones.htm',
    'https://developer.okta.com/docs/api/openapi/okta-management/management/tag/NetworkZone/',
  ],
  category: 'identity-access',
  stig: {
    requirement: '003243',
    group: 'V-279692',
    rule: 'SV-279692r1155075_rule',
    category: 'CAT II',
    ccis: ['001414'],
  },
  notes:
    'A blocklist of single addresses, such as one that a cybersecurity service provider supplies, can satisfy the requirement, but whether it is complete has to be verified by hand.',
  needs: ['zones'],
  judge: ({ snapshot, dialect }) => {
    const { zones } = snapshot;
    if (zones.kind === 'unread') {
      const resource = unreadResource('network-zones', zones.problem);
      return [couldNotRead(zones.problem, resource, 'The network zones')];
    }
    const blocklists = zones.value.filter(isActiveBlocklist).toSorted(byNameAndId);
    const dynamic = blocklists.find(
      (zone) => isOfType(zone, 'DYNAMIC_V2') && coversAnonymizers(zone.categories),
    );
    if (dynamic !== undefined) {
      const detail = `The active blocklist zone "${dynamic.name}" covers anonymizing proxies with the IP service categories ${dynamic.categories.join(', ')}.`;
      return [{ status: 'PASS', detail, resource: zoneResource(dynamic) }];
    }
    const listed = blocklists.find(
      (zone) => isOfType(zone, 'IP') && zone.gateways.length + zone.proxies.length > 0,
    );
    if (listed !== undefined) {
      const { name, gateways, proxies } = listed;
      const detail = `The active blocklist zone "${name}" lists fixed addresses (${gateways.length} as gateways, ${proxies.length} as proxies); verify by hand that they cover anonymizing proxies, or block the IP service category ALL_ANONYMIZERS instead.`;
      return [{ status: 'MANUAL', detail, resource: zoneResource(listed) }];
    }
    const detail = `The ${dialect.title} organization has no active blocklist zone that covers anonymizing proxies (${blocklists.length} active in all); there must be an enhanced dynamic zone with the IP service categories of anonymizers, proxies or VPNs.`;
    return [{ status: 'FAIL', detail, resource: NO_ZONE }];
  },
});

const NO_ZONE = { id: 'directory-network-zones', name: 'Directory Network Zones', data: null } as const;

function zoneResource(zone: Zone) {
  return { id: zone.id, name: zone.name, data: zone };
}

function isActiveBlocklist({ status, usage }: Zone): boolean {
  return status?.toUpperCase() === 'ACTIVE' && usage?.toUpperCase() === 'BLOCKLIST';
}

function isOfType({ type }: Zone, wanted: 'DYNAMIC_V2' | 'IP'): boolean {
  return type?.toUpperCase() === wanted;
}

function byNameAndId(a: Zone, b: Zone): number {
  return compareText(a.name, b.name) || compareText(a.id, b.id);
}
