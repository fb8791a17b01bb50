import type { CountChanges } from './finding-totals.ts';

interface Sum {
  readonly checkKey: number;
  readonly facetKey: number;
  readonly code: number;
  count: number;
}

/** There are fewer count codes than this. */
const CODES = 2 ** 11;
/** There are fewer checks or facets in a frame than this. */
const NUMBERS = 2 ** 21;

/** Adds up how findings change the counts of their providers. */
export class CountSums {
  /** The keys are numbers up to 2^53, because creating a text for each finding takes longer. */
  readonly #byProvider = new Map<string, Map<number, Sum>>();
  readonly #checks = new Map<number, number>();
  readonly #facets = new Map<number, number>();

  /** `code` is the `finding_count_code` of findings that begin (1) or cease (-1) to be counted. */
  add(providerId: string, checkKey: number, facetKey: number, code: number, count: 1 | -1): void {
    let sums = this.#byProvider.get(providerId);
    if (sums === undefined) {
      sums = new Map();
      this.#byProvider.set(providerId, sums);
    }
    const key =
      (numberIn(this.#checks, checkKey) * NUMBERS + numberIn(this.#facets, facetKey)) * CODES + code;
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

/** The number of a key, from 0 in the order of their first use. */
function numberIn(numbers: Map<number, number>, key: number): number {
  const known = numbers.get(key);
  if (known !== undefined) return known;
  const number = numbers.size;
  numbers.set(key, number);
  return number;
}
