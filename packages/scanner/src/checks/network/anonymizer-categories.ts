/** Names of IP service categories are words joined by underscores: `ALL_ANONYMIZERS_EXCEPT_TOR`, `NORD_VPN`. */
const KIND = /^(?:ANONYM\w*|PROXY|PROXIES|VPNS?)$/;
const TOR = 'TOR';
/** These include all the others. */
const ALL_SERVICES = 'ALL_IP_SERVICES';
const ALL_ANONYMIZERS = 'ALL_ANONYMIZERS';

/** How far IP service categories cover anonymizing proxies. */
export interface Coverage {
  readonly extent: 'all' | 'some' | 'none';
  /** The categories that cover them, as they are written. */
  readonly covered: readonly string[];
  /** The categories that are taken back from these. */
  readonly excepted: readonly string[];
}

/**
 * Evaluates what a zone includes and what it takes back. `all` needs a category of a kind, such as `ALL_ANONYMIZERS`, from
 * which nothing is taken back: that of one service (`NORD_VPN`), or of Tor alone, covers some. Compares whole words, because
 * `TOR` is also a part of `STORAGE` and `EDITOR`.
 */
export function coverageOfAnonymizers(include: readonly string[], exclude: readonly string[]): Coverage {
  const excluded = new Set(exclude.map((category) => category.toUpperCase()));
  const excepted = exclude.filter(isAnonymizing);
  const takesAll = excluded.has(ALL_SERVICES) || excluded.has(ALL_ANONYMIZERS);
  const covered = include.filter(
    (category) => !takesAll && !excluded.has(category.toUpperCase()) && isAnonymizing(category),
  );
  const some = covered.length > 0 ? 'some' : 'none';
  return { extent: excepted.length === 0 && covered.some(isKind) ? 'all' : some, covered, excepted };
}

function isAnonymizing(category: string): boolean {
  return (
    category.toUpperCase() === ALL_SERVICES ||
    wordsOf(category).some((word) => word === TOR || KIND.test(word))
  );
}

/** Not one service, but all that there are of a kind. */
function isKind(category: string): boolean {
  return (
    category.toUpperCase() === ALL_SERVICES ||
    wordsOf(category).every((word) => word === 'ALL' || KIND.test(word))
  );
}

/** `EXCEPT_TOR` at the end of a name says what the category leaves out. */
function wordsOf(category: string): string[] {
  const words = category.toUpperCase().split(/[^A-Z0-9]+/);
  const end = words.indexOf('EXCEPT');
  return end === -1 ? words : words.slice(0, end);
}
