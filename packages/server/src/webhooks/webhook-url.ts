import { isIP } from 'node:net';
import { isPublicAddress } from './public-addresses.ts';

/** In UTF-16 code units. */
export const MAX_URL_LENGTH = 2048;

/** Why a URL cannot be used for a webhook. */
export type UrlFault = 'not_a_url' | 'scheme' | 'credentials' | 'address';

/**
 * Checks the URL of a webhook. `http:` and addresses that are not public are valid only if private addresses are
 * allowed. A host name is resolved and checked at each delivery.
 */
export function findUrlFault(text: string, allowsPrivateAddresses: boolean): UrlFault | undefined {
  if (!URL.canParse(text)) return 'not_a_url';
  const url = new URL(text);
  const isSecure = url.protocol === 'https:';
  if (!isSecure && !(allowsPrivateAddresses && url.protocol === 'http:')) return 'scheme';
  if (url.username !== '' || url.password !== '') return 'credentials';
  const host = hostOf(url);
  return allowsPrivateAddresses || isIP(host) === 0 || isPublicAddress(host) ? undefined : 'address';
}

/** The host without the brackets of an IPv6 address. WHATWG URL has converted all forms of an IPv4 address to one. */
export function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[(.*)\]$/, '$1');
}
