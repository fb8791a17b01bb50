/** The certificate authorities of the DoD and its external ones (ECA), as issuers name them. */
const DEFAULTS = [/\bOU=DoD\b/, /\bOU=ECA\b/] as const;

/**
 * The patterns that the issuer of a smart-card identity provider is tried against, in this order: the defaults,
 * then those configured, which replace the defaults only where that is said.
 * Throws what `fault` makes of a pattern that is no regular expression.
 */
export function approvedIssuers(
  configured: readonly string[],
  replace: boolean,
  fault?: (index: number, why: string) => Error,
): readonly RegExp[] {
  const own = configured.map((pattern, index) => {
    try {
      return new RegExp(pattern);
    } catch (error) {
      if (fault === undefined || !(error instanceof SyntaxError)) throw error;
      throw fault(index, error.message);
    }
  });
  return replace ? own : [...DEFAULTS, ...own];
}
