import type { Zone } from '../../directory/snapshot.ts';
import { defineCheck, type Status, unreadVerdict } from '../check.ts';
import { compareText } from '../policy-rules.ts';
import { unreadResource } from '../unread-resource.ts';
import { coverageOfAnonymizers } from './anonymizer-categories.ts';

export const check = defineCheck({
  id: 'network_zone_block_anonymized_proxies',
  service: 'network',
  severity: 'medium',
  title: 'An active blocklist zone covers anonymizing proxies',
  description:
    'A blocklist zone of the directory refuses requests before anyone can sign in. At least one active blocklist has to be an enhanced dynamic zone with a whole IP service category of anonymizers, proxies or VPNs, or a dynamic zone with the proxy type Any.',
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
    'A blocklist of single services, such as one brand of VPNs, or with exceptions, is not all anonymizing proxies and has to be verified by hand. A blocklist of single addresses, such as one that a cybersecurity service provider supplies, can satisfy the requirement, but whether it is complete has to be verified by hand.',
  needs: ['zones'],
  evaluate: ({ snapshot, dialect }) => {
    const { zones } = snapshot;
    if (zones.kind === 'unread') {
      const resource = unreadResource('network-zones', zones.problem);
      return [unreadVerdict(zones.problem, resource, 'The network zones')];
    }
    const blocklists = zones.value.filter(isActiveBlocklist).toSorted(byNameAndId);
    const outcomes = blocklists.map((zone) => ({ zone, ...evaluateZone(zone) }));
    const decisive =
      outcomes.find(({ status }) => status === 'PASS') ?? outcomes.find(({ status }) => status === 'MANUAL');
    if (decisive !== undefined) {
      const { zone, status, seen } = decisive;
      const detail = `The active blocklist zone "${zone.name}" ${seen}.`;
      return [{ status, detail, resource: { id: zone.id, name: zone.name, data: zone } }];
    }
    const detail = `The ${dialect.title} organization has no active blocklist zone that covers anonymizing proxies (${blocklists.length} active in all); there must be an enhanced dynamic zone with the IP service categories of anonymizers, proxies or VPNs.`;
    return [{ status: 'FAIL', detail, resource: NO_ZONE }];
  },
});

interface Evaluated {
  readonly status: Status;
  /** As the end of a sentence about the zone. */
  readonly seen: string;
}

const VERIFY =
  'verify by hand that this covers anonymizing proxies, or block the IP service category ALL_ANONYMIZERS instead';
const NOTHING: Evaluated = { status: 'FAIL', seen: 'does not cover anonymizing proxies' };

function evaluateZone(zone: Zone): Evaluated {
  switch (zone.type?.toUpperCase()) {
    case 'DYNAMIC_V2':
      return evaluateCategories(zone);
    case 'DYNAMIC':
      return evaluateProxyType(zone);
    case 'IP':
      return evaluateAddresses(zone);
    default:
      return NOTHING;
  }
}

function evaluateCategories({ categories, excludedCategories }: Zone): Evaluated {
  const { extent, covered, excepted } = coverageOfAnonymizers(categories, excludedCategories);
  if (extent === 'none') return NOTHING;
  const categoriesText = `the IP service categories ${covered.join(', ')}`;
  if (extent === 'all') return { status: 'PASS', seen: `covers anonymizing proxies with ${categoriesText}` };
  const exceptions = excepted.length === 0 ? '' : ` except ${excepted.join(', ')}`;
  return { status: 'MANUAL', seen: `blocks only ${categoriesText}${exceptions}; ${VERIFY}` };
}

/** A dynamic zone of the first generation looks at one type of proxies. */
function evaluateProxyType({ proxyType }: Zone): Evaluated {
  if (proxyType?.toUpperCase() === 'ANY')
    return { status: 'PASS', seen: 'covers anonymizing proxies with the proxy type Any' };
  return {
    status: 'MANUAL',
    seen: `is a dynamic zone with ${proxyType ? `the proxy type ${proxyType}` : 'no proxy type'}; ${VERIFY}`,
  };
}

function evaluateAddresses({ gateways, proxies }: Zone): Evaluated {
  if (gateways.length + proxies.length === 0) return NOTHING;
  return {
    status: 'MANUAL',
    seen: `lists fixed addresses (${gateways.length} as gateways, ${proxies.length} as proxies); ${VERIFY}`,
  };
}

const NO_ZONE = { id: 'directory-network-zones', name: 'Directory Network Zones', data: null } as const;

function isActiveBlocklist({ status, usage }: Zone): boolean {
  return status?.toUpperCase() === 'ACTIVE' && usage?.toUpperCase() === 'BLOCKLIST';
}

function byNameAndId(a: Zone, b: Zone): number {
  return compareText(a.name, b.name) || compareText(a.id, b.id);
}
