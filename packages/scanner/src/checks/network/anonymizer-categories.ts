/** Names of IP service categories are words joined by underscores: `ALL_ANONYMIZERS_EXCEPT_TOR`, `NORD_VPN`. */
const WORD = /^(?:ANONYM\w*|PROXY|PROXIES|TOR|VPNS?)$/;
/** Includes all the others. */
const ALL_SERVICES = 'ALL_IP_SERVICES';

/**
 * Whether one of the IP service categories is for anonymizers, proxies, Tor or VPNs. Compares whole words, because
 * `TOR` is also a part of `STORAGE` and `EDITOR`.
 */
export function coversAnonymizers(categories: readonly string[]): boolean {
  return categories.map((category) => category.toUpperCase()).some(isAnonymizing);
}

function isAnonymizing(category: string): boolean {
  return category === ALL_SERVICES || withoutExceptions(category).some((word) => WORD.test(word));
}

/** `EXCEPT_TOR` at the end of a name says what the category leaves out. */
function withoutExceptions(category: string): string[] {
  const words = category.split(/[^A-Z0-9]+/);
  const end = words.indexOf('EXCEPT');
  return end === -1 ? words : words.slice(0, end);
}
