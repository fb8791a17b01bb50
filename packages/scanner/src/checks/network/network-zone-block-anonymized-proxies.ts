import type { Zone } from '../../directory/snapshot.ts';
import { defineCheck, type Status, unreadResource, unreadVerdict } from '../check.ts';
import { compareText } from '../policy-rules.ts';
import { coverageOfAnonymizers } from './anonymizer-categories.ts';

export const check = defineCheck({
  id: 'network_zone_block_anonymized_proxies',
  service: 'network',
  severity: 'medium',
  title: 'An active blocklist zone covers anonymizing proxies',
  description:
    'A blocklist zone rejects requests before users can sign in. At least one active blocklist zone must be either an enhanced dynamic zone with an IP service category that covers all anonymizers, proxies or VPNs, or a dynamic zone with the proxy type Any.',
  risk: 'Attackers hide their location behind anonymizing proxies, Tor and VPNs. Unless these services are blocked, password spraying and the use of stolen sessions cannot be traced to a network.',
  remediation:
    '1. Sign in to the admin console and go to Security > Networks. 2. Activate DefaultEnhancedDynamicZone, or choose Add zone > Enhanced dynamic zone. 3. In a new zone, select "Block access from IPs matching conditions listed in this zone" and include the category ALL_ANONYMIZERS. 4. Save the zone.',
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
    'A blocklist that has exceptions or covers only individual services, such as a single VPN brand, does not cover all anonymizing proxies. A blocklist of IP addresses, such as one from a cybersecurity service provider, can satisfy the requirement. The result for these blocklists is MANUAL: verify that they are complete.',
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
      const { zone, status, observed } = decisive;
      const detail = `The active blocklist zone "${zone.name}" ${observed}.`;
      return [{ status, detail, resource: { id: zone.id, name: zone.name, data: zone } }];
    }
    const detail = `The ${dialect.title} organization has no active blocklist zone that covers anonymizing proxies (active blocklist zones: ${blocklists.length}). Add an enhanced dynamic zone to the blocklist, with the IP service categories for anonymizers, proxies or VPNs.`;
    return [{ status: 'FAIL', detail, resource: NO_ZONE }];
  },
});

interface Evaluated {
  readonly status: Status;
  /** The result as a predicate of the zone. */
  readonly observed: string;
}

const VERIFY =
  'Verify manually that this covers anonymizing proxies, or block the IP service category ALL_ANONYMIZERS instead';
const NOT_COVERED: Evaluated = { status: 'FAIL', observed: 'does not cover anonymizing proxies' };

function evaluateZone(zone: Zone): Evaluated {
  switch (zone.type?.toUpperCase()) {
    case 'DYNAMIC_V2':
      return evaluateCategories(zone);
    case 'DYNAMIC':
      return evaluateProxyType(zone);
    case 'IP':
      return evaluateAddresses(zone);
    default:
      return NOT_COVERED;
  }
}

function evaluateCategories({ categories, excludedCategories }: Zone): Evaluated {
  const { extent, covered, excepted } = coverageOfAnonymizers(categories, excludedCategories);
  if (extent === 'none') return NOT_COVERED;
  const categoriesText = `the IP service categories ${covered.join(', ')}`;
  if (extent === 'all')
    return { status: 'PASS', observed: `covers anonymizing proxies with ${categoriesText}` };
  const exceptions = excepted.length === 0 ? '' : ` except ${excepted.join(', ')}`;
  return { status: 'MANUAL', observed: `blocks only ${categoriesText}${exceptions}. ${VERIFY}` };
}

/** A first-generation dynamic zone matches one proxy type. */
function evaluateProxyType({ proxyType }: Zone): Evaluated {
  if (proxyType?.toUpperCase() === 'ANY')
    return { status: 'PASS', observed: 'covers anonymizing proxies with the proxy type Any' };
  return {
    status: 'MANUAL',
    observed: `is a dynamic zone with ${proxyType ? `the proxy type ${proxyType}` : 'no proxy type'}. ${VERIFY}`,
  };
}

function evaluateAddresses({ gateways, proxies }: Zone): Evaluated {
  if (gateways.length + proxies.length === 0) return NOT_COVERED;
  return {
    status: 'MANUAL',
    observed: `lists fixed addresses (${gateways.length} as gateways, ${proxies.length} as proxies). ${VERIFY}`,
  };
}

const NO_ZONE = { id: 'directory-network-zones', name: 'Directory Network Zones', data: null } as const;

function isActiveBlocklist({ status, usage }: Zone): boolean {
  return status?.toUpperCase() === 'ACTIVE' && usage?.toUpperCase() === 'BLOCKLIST';
}

function byNameAndId(a: Zone, b: Zone): number {
  return compareText(a.name, b.name) || compareText(a.id, b.id);
}
