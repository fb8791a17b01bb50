/** Issuers that belong to the DoD and its External Certification Authorities (ECA). */
const DEFAULTS = [/\bOU=DoD\b/, /\bOU=ECA\b/] as const;

/**
 * The approved issuer patterns in matching order: the defaults, then the configured patterns, which replace the
 * defaults if `replace` is true. If a pattern is not a valid regular expression, throws the error that `invalidPattern`
 * returns.
 */
export function approvedIssuers(
  configured: readonly string[],
  replace: boolean,
  invalidPattern?: (index: number, reason: string) => Error,
): readonly RegExp[] {
  const patterns = configured.map((pattern, index) => {
    try {
      return new RegExp(pattern);
    } catch (error) {
      if (invalidPattern === undefined || !(error instanceof SyntaxError)) throw error;
      throw invalidPattern(index, error.message);
    }
  });
  return replace ? patterns : [...DEFAULTS, ...patterns];
}
