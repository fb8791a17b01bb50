/** The values of an upload's coverage, from the one that concludes least. */
export const COVERAGES = ['partial', 'checks', 'account'] as const;

/**
 * Whether a file contains all findings, so that the service can resolve findings that are not in it. `partial`: the
 * absence of a finding means nothing. `checks`: the file contains all findings for each account, product and check that
 * occurs in it. `account`: the file contains all findings for each account and product that occurs in it.
 */
export type Coverage = (typeof COVERAGES)[number];
