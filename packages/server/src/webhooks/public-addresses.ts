import { BlockList, isIPv4, isIPv6 } from 'node:net';

/** IPv4 addresses that are not on the public internet (IANA IPv4 Special-Purpose Address Registry, RFC 6890). */
const IPV4 = [
  '0.0.0.0/8', // this network (RFC 791)
  '10.0.0.0/8', // private use (RFC 1918)
  '100.64.0.0/10', // carrier-grade NAT (RFC 6598)
  '127.0.0.0/8', // loopback (RFC 1122)
  '169.254.0.0/16', // link-local (RFC 3927), with the metadata services of clouds
  '172.16.0.0/12', // private use (RFC 1918)
  '192.0.0.0/24', // protocol assignments (RFC 6890)
  '192.0.2.0/24', // documentation (RFC 5737)
  '192.88.99.0/24', // 6to4 relays (RFC 7526)
  '192.168.0.0/16', // private use (RFC 1918)
  '198.18.0.0/15', // benchmarks (RFC 2544)
  '198.51.100.0/24', // documentation (RFC 5737)
  '203.0.113.0/24', // documentation (RFC 5737)
  '224.0.0.0/4', // multicast (RFC 5771)
  '240.0.0.0/4', // reserved (RFC 1112), and broadcast (RFC 919)
];
/**
 * Exceptions among the global unicast addresses. All other addresses are special: loopback, unspecified, unique local
 * (RFC 4193), link-local and multicast (RFC 4291).
 */
const IPV6 = [
  '2001::/23', // protocol assignments (RFC 2928), with Teredo
  '2001:db8::/32', // documentation (RFC 3849)
  '2002::/16', // 6to4, which contains an IPv4 address (RFC 3056)
  '3fff::/20', // documentation (RFC 9637)
];
/** The addresses that IANA assigns (RFC 4291, section 2.4). */
const GLOBAL_UNICAST = '2000::/3';
/** The last 32 bits are an IPv4 address: mapped (RFC 4291, section 2.5.5.2) and NAT64 (RFC 6052). */
const WITH_IPV4 = ['::ffff:0:0/96', '64:ff9b::/96'];

const special = blockList([...IPV4, ...IPV6]);
const globalUnicast = blockList([GLOBAL_UNICAST]);
const withIpv4 = blockList(WITH_IPV4);

/** Whether an IP address is on the public internet. A text that is not an IP address is not. */
export function isPublicAddress(address: string): boolean {
  if (isIPv4(address)) return !special.check(address, 'ipv4');
  // An address with a zone is link-local.
  if (!isIPv6(address) || address.includes('%')) return false;
  const groups = groupsOf(address);
  const canonical = groups.map((group) => group.toString(16)).join(':');
  if (withIpv4.check(canonical, 'ipv6')) return isPublicAddress(ipv4Of(groups));
  return globalUnicast.check(canonical, 'ipv6') && !special.check(canonical, 'ipv6');
}

/** The eight groups of an IPv6 address. */
function groupsOf(address: string): readonly number[] {
  // WHATWG URL writes an embedded IPv4 address as two groups, and shortens zeros to one `::`.
  const text = new URL(`http://[${address}]`).hostname.slice(1, -1);
  const [head = '', tail] = text.split('::').map((part) => (part === '' ? [] : part.split(':')));
  const last = tail ?? [];
  const zeros = Array.from({ length: 8 - head.length - last.length }, () => '0');
  return [...head, ...zeros, ...last].map((group) => Number.parseInt(group, 16));
}

function ipv4Of(groups: readonly number[]): string {
  return groups
    .slice(-2)
    .flatMap((group) => [group >> 8, group & 0xff])
    .join('.');
}

function blockList(ranges: readonly string[]): BlockList {
  const list = new BlockList();
  for (const range of ranges) {
    const [network = '', bits] = range.split('/');
    list.addSubnet(network, Number(bits), isIPv4(network) ? 'ipv4' : 'ipv6');
  }
  return list;
}
