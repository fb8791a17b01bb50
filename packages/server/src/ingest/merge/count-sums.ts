import type { CountChanges } from './finding-totals.ts';

interface Sum {
  readonly checkKey: number;
  readonly facetKey: number;
  readonly code: number;
  count: number;
}

/** Adds up how findings change the counts of their providers. */
export class CountSums {
  readonly #byProvider = new Map<string, Map<string, Sum>>();

  /** `code` is the `finding_count_code` of findings that begin (1) or cease (-1) to be counted. */
  add(providerId: string, checkKey: number, facetKey: number, code: number, count: 1 | -1): void {
    const sums = this.#byProvider.get(providerId) ?? new Map<string, Sum>();
    this.#byProvider.set(providerId, sums);
    const key = `${checkKey},${facetKey},${code}`;
    const sum = sums.get(key);
    if (sum === undefined) sums.set(key, { checkKey, facetKey, code, count });
    else sum.count += count;
  }

  /** The sums that are not zero. */
  values(): readonly CountChanges[] {
    return Array.from(this.#byProvider, ([providerId, all]) => {
      const sums = [...all.values()].filter(({ count }) => count !== 0);
      return {
        providerId,
        checkKeys: sums.map(({ checkKey }) => checkKey),
        facetKeys: sums.map(({ facetKey }) => facetKey),
        codes: sums.map(({ code }) => code),
        counts: sums.map(({ count }) => count),
      };
    }).filter(({ codes }) => codes.length > 0);
  }
}
