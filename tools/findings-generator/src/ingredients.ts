import { type Check, checkAt } from './checks.ts';
import { identityAt } from './identity.ts';
import type { GeneratorOptions } from './options.ts';
import { type Outcome, outcomeAt } from './outcome.ts';
import { PROVIDERS } from './providers/by-name.ts';
import type { Account, Provider } from './providers/provider.ts';
import { hashOf, hex8, Random, uuidOf } from './random.ts';
import { type Resource, resourceAt } from './resource.ts';

/** All that a record is made of. */
export interface Ingredients {
  options: GeneratorOptions;
  provider: Provider;
  /** Kubernetes records have no `cloud` and no region. */
  hasCloud: boolean;
  check: Check;
  account: Account;
  accountOrdinal: number;
  resource: Resource;
  outcome: Outcome;
  scanId: string;
  timeText: string;
  /** Gives the resource's tags and metadata: the same row for every check of the resource. */
  random: Random;
}

/** Finds the ingredients of the index-th record. Kept for many records, it makes checks and accounts only once. */
export function ingredientsFinder(options: GeneratorOptions): (index: number) => Ingredients {
  const provider = PROVIDERS[options.provider];
  const checks = remembered((ordinal) => checkAt(options.provider, ordinal));
  const accounts = remembered((ordinal) => provider.account(ordinal));
  const scanIds = remembered((ordinal) => options.scanId ?? scanIdFor(options, ordinal));
  const timeText = timeTextFor(options);

  return (index) => {
    const { check, account: accountOrdinal, resource } = identityAt(options, index);
    const account = accounts(accountOrdinal);
    return {
      options,
      provider,
      hasCloud: options.provider !== 'kubernetes',
      check: checks(check),
      account,
      accountOrdinal,
      resource: resourceAt(provider, account, accountOrdinal, resource),
      outcome: outcomeAt(options, index),
      scanId: scanIds(accountOrdinal),
      timeText,
      random: new Random(hashOf(91, options.seed, accountOrdinal, resource)),
    };
  };
}

function remembered<T>(make: (ordinal: number) => T): (ordinal: number) => T {
  const made = new Map<number, T>();
  return (ordinal) => {
    const known = made.get(ordinal);
    if (known !== undefined) {
      return known;
    }
    const value = make(ordinal);
    made.set(ordinal, value);
    return value;
  };
}

/** A version 7 UUID (RFC 9562) of the scan's time, as scanners use. */
function scanIdFor(options: GeneratorOptions, accountOrdinal: number): string {
  const milliseconds = (options.time * 1000).toString(16).padStart(12, '0');
  const rest = [101, 102, 103].map((stream) => hex8(hashOf(stream, options.seed, accountOrdinal))).join('');
  return uuidOf(milliseconds + rest.slice(0, 20), 7);
}

/** Without an offset, as scanners write it when they run from the command line. */
function timeTextFor(options: GeneratorOptions): string {
  const microseconds = String(hashOf(104, options.seed) % 1_000_000).padStart(6, '0');
  return `${new Date(options.time * 1000).toISOString().slice(0, 19)}.${microseconds}`;
}
