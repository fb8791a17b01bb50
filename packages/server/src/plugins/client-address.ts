import { isIP, isIPv4 } from 'node:net';
import type { FastifyRequest } from 'fastify';

/** Whether this is an address, or a range of them as in `10.0.0.0/8` (RFC 4632, RFC 4291). */
export function isAddressRange(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/');
  const version = isIP(address);
  if (version === 0 || rest.length > 0 || address.includes('%')) return false;
  if (bits === undefined) return true;
  return /^\d{1,3}$/.test(bits) && Number(bits) >= 1 && Number(bits) <= (version === 4 ? 32 : 128);
}

/** The address out of one entry of `X-Forwarded-For`, to which some proxies add a port; `undefined`: there is none. */
export function plainAddress(entry: string): string | undefined {
  if (isIP(entry) !== 0) return entry;
  const [, bracketed, beforePort] = /^(?:\[([0-9a-f:.]+)\](?::\d+)?|([0-9.]+):\d+)$/i.exec(entry) ?? [];
  const address = bracketed ?? beforePort ?? '';
  return isIP(address) === 0 ? undefined : address;
}

/** What counts as one client: an IPv4 address, or the /64 of an IPv6 address, of which one machine may use all. */
export function addressBlock(address: string): string {
  const mapped = /^::ffff:([0-9.]+)$/i.exec(address)?.[1] ?? address;
  if (isIPv4(mapped)) return mapped;
  const [plain = ''] = address.split('%');
  const [head = '', tail] = plain.split('::');
  const groups = (part: string) => (part === '' ? [] : part.split(':'));
  const first = groups(head);
  // `::` stands for as many zeroes as are missing; an IPv4 tail is in the half that is not looked at.
  const last =
    tail === undefined ? [] : groups(tail).flatMap((group) => (isIPv4(group) ? ['0', '0'] : [group]));
  const zeroes = Array.from({ length: Math.max(0, 8 - first.length - last.length) }, () => '0');
  const block = [...first, ...zeroes, ...last]
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16));
  return `${block.join(':')}::/64`;
}

/** Where a request comes from: its connection, or what a trusted proxy says of it, where that is an address. */
export function clientAddress(request: FastifyRequest): string {
  return plainAddress(request.ip) ?? request.socket.remoteAddress ?? '';
}
