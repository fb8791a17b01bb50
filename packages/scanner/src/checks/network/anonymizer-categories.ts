/** IP service categories are words joined by underscores: `ALL_ANONYMIZERS_EXCEPT_TOR`, `NORD_VPN`. */
const SERVICE_TYPE = /^(?:ANONYM\w*|PROXY|PROXIES|VPNS?)$/;
const TOR = 'TOR';
/** The categories that include all other categories. */
const ALL_SERVICES = 'ALL_IP_SERVICES';
const ALL_ANONYMIZERS = 'ALL_ANONYMIZERS';

/** The extent to which a zone's IP service categories cover anonymizing proxies. */
export interface Coverage {
  readonly extent: 'all' | 'some' | 'none';
  /** The included categories that cover anonymizing proxies, as configured. */
  readonly covered: readonly string[];
  /** The excluded categories of anonymizing proxies. */
  readonly excepted: readonly string[];
}

/**
 * Evaluates the included and excluded categories of a zone. The extent is `all` if a category covers a complete service
 * type, such as `ALL_ANONYMIZERS`, and no anonymizing category is excluded. With exclusions, or if the categories cover
 * only single services (`NORD_VPN`) or Tor, it is `some`. Compares complete words, because `TOR` is also part of
 * `STORAGE` and `EDITOR`.
 */
export function coverageOfAnonymizers(include: readonly string[], exclude: readonly string[]): Coverage {
  const excluded = new Set(exclude.map((category) => category.toUpperCase()));
  const excepted = exclude.filter(isAnonymizing);
  const excludesAll = excluded.has(ALL_SERVICES) || excluded.has(ALL_ANONYMIZERS);
  const covered = include.filter(
    (category) => !excludesAll && !excluded.has(category.toUpperCase()) && isAnonymizing(category),
  );
  const some = covered.length > 0 ? 'some' : 'none';
  return { extent: excepted.length === 0 && covered.some(isServiceType) ? 'all' : some, covered, excepted };
}

function isAnonymizing(category: string): boolean {
  return (
    category.toUpperCase() === ALL_SERVICES ||
    wordsOf(category).some((word) => word === TOR || SERVICE_TYPE.test(word))
  );
}

/** Whether a category covers all services of a type rather than a single service. */
function isServiceType(category: string): boolean {
  return (
    category.toUpperCase() === ALL_SERVICES ||
    wordsOf(category).every((word) => word === 'ALL' || SERVICE_TYPE.test(word))
  );
}

/** The words of a category without its exclusions, such as `EXCEPT_TOR` at the end of a name. */
function wordsOf(category: string): string[] {
  const words = category.toUpperCase().split(/[^A-Z0-9]+/);
  const end = words.indexOf('EXCEPT');
  return end === -1 ? words : words.slice(0, end);
}
