import { isIP, isIPv4 } from 'node:net';
import type { FastifyRequest } from 'fastify';

/**
 * Returns the client address reported by a trusted proxy, or the address of the connection if no valid address is
 * reported.
 */
export function clientAddress(request: Pick<FastifyRequest, 'ip' | 'socket'>): string {
  return plainAddress(request.ip) ?? request.socket.remoteAddress ?? '';
}

/**
 * Extracts the address from an entry of `X-Forwarded-For`. Some proxies add a port. Returns `undefined` if the entry
 * has no valid address.
 */
function plainAddress(entry: string): string | undefined {
  if (isIP(entry) !== 0) return entry;
  const [, bracketed, beforePort] = /^(?:\[([0-9a-f:.]+)\](?::\d+)?|([0-9.]+):\d+)$/i.exec(entry) ?? [];
  const address = bracketed ?? beforePort ?? '';
  return isIP(address) === 0 ? undefined : address;
}

/**
 * Returns the address block that is treated as one client: an IPv4 address, or the /64 network of an IPv6 address,
 * which is usually assigned to one machine.
 */
export function addressBlock(address: string): string {
  const mapped = /^::ffff:([0-9.]+)$/i.exec(address)?.[1] ?? address;
  if (isIPv4(mapped)) return mapped;
  const [plain = ''] = address.split('%');
  const [head = '', tail] = plain.split('::');
  const groups = (part: string) => (part === '' ? [] : part.split(':'));
  const first = groups(head);
  // `::` stands for the omitted zeros. An embedded IPv4 address is always in the second half, which is ignored.
  const last =
    tail === undefined ? [] : groups(tail).flatMap((group) => (isIPv4(group) ? ['0', '0'] : [group]));
  const zeros = Array.from({ length: Math.max(0, 8 - first.length - last.length) }, () => '0');
  const block = [...first, ...zeros, ...last]
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16));
  return `${block.join(':')}::/64`;
}

/** Whether the string is an IP address, or a range such as `10.0.0.0/8` (RFC 4632, RFC 4291). */
export function isAddressRange(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/');
  const version = isIP(address);
  if (version === 0 || rest.length > 0 || address.includes('%')) return false;
  if (bits === undefined) return true;
  return /^\d{1,3}$/.test(bits) && Number(bits) >= 1 && Number(bits) <= (version === 4 ? 32 : 128);
}
