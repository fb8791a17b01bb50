/**
 * What an upload is complete for: nothing is concluded from the absence of a finding (`partial`), or the upload contains
 * all findings of each account, product and check in it (`checks`), or of each account and product in it (`account`).
 * The product is `metadata.product.name`.
 */
export const COVERAGES = ['partial', 'checks', 'account'] as const;
export type Coverage = (typeof COVERAGES)[number];
export const DEFAULT_COVERAGE: Coverage = 'partial';

/** The coverage with this name; `undefined` if there is none. */
export function findCoverage(name: string): Coverage | undefined {
  return COVERAGES.find((coverage) => coverage === name);
}
