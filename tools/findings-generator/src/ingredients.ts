import { type Check, checkAt } from './checks.ts';
import { identityAt } from './identity.ts';
import type { GeneratorOptions } from './options.ts';
import { type Outcome, outcomeAt } from './outcome.ts';
import { PROVIDERS } from './providers/all-providers.ts';
import type { Provider } from './providers/provider.ts';
import { hashOf, hex8, Random, uuidOf } from './random.ts';
import { type Resource, resourceAt } from './resource.ts';
import type { Account } from './resource-types/resource-type.ts';

/** The data from which a record is built. */
export interface Ingredients {
  options: GeneratorOptions;
  provider: Provider;
  /** False for Kubernetes, whose records have neither `cloud` nor a region. */
  hasCloud: boolean;
  check: Check;
  account: Account;
  accountOrdinal: number;
  resource: Resource;
  outcome: Outcome;
  scanId: string;
  timeText: string;
  /**
   * Source of the resource's tags and metadata. It yields the same sequence for every check that evaluates the
   * resource.
   */
  random: Random;
}

/** Returns a function that derives the ingredients of the record at an index. It caches checks and accounts. */
export function createIngredients(options: GeneratorOptions): (index: number) => Ingredients {
  const provider = PROVIDERS[options.provider];
  const checks = memoize((ordinal) => checkAt(options.provider, ordinal));
  const accounts = memoize((ordinal) => provider.account(ordinal));
  const scanIds = memoize((ordinal) => options.scanId ?? scanIdFor(options, ordinal));
  const timeText = timeTextFor(options);

  return (index) => {
    const { check: checkOrdinal, account: accountOrdinal, resource } = identityAt(options, index);
    const account = accounts(accountOrdinal);
    const check = checks(checkOrdinal);
    return {
      options,
      provider,
      hasCloud: options.provider !== 'kubernetes',
      check,
      account,
      accountOrdinal,
      resource: resourceAt(provider, check.control.resource, account, accountOrdinal, resource),
      outcome: outcomeAt(options, index),
      scanId: scanIds(accountOrdinal),
      timeText,
      random: new Random(hashOf(91, options.seed, accountOrdinal, resource)),
    };
  };
}

function memoize<T>(make: (ordinal: number) => T): (ordinal: number) => T {
  const cache = new Map<number, T>();
  return (ordinal) => {
    const cached = cache.get(ordinal);
    if (cached !== undefined) {
      return cached;
    }
    const value = make(ordinal);
    cache.set(ordinal, value);
    return value;
  };
}

/** Returns a version 7 UUID (RFC 9562) for the time of the scan. */
function scanIdFor(options: GeneratorOptions, accountOrdinal: number): string {
  const milliseconds = (options.time * 1000).toString(16).padStart(12, '0');
  const random = [101, 102, 103].map((stream) => hex8(hashOf(stream, options.seed, accountOrdinal))).join('');
  return uuidOf(milliseconds + random.slice(0, 20), 7);
}

/** Formats the time without a UTC offset, as command-line scanners do. */
function timeTextFor(options: GeneratorOptions): string {
  const microseconds = String(hashOf(104, options.seed) % 1_000_000).padStart(6, '0');
  return `${new Date(options.time * 1000).toISOString().slice(0, 19)}.${microseconds}`;
}
