import type { Verdict } from '../checks/check.ts';
import { checkIds, resourceNames } from '../checks/dialect-names.ts';
import type { Pattern } from './pattern.ts';

/** Which findings are muted: accepted, and no reason for exit code 3. */
export interface Mutelist {
  readonly accounts: readonly MutedAccount[];
}

export interface MutedAccount {
  /** Domain of an organization in lower case, or `*`. */
  readonly account: string;
  readonly entries: readonly MutedChecks[];
}

export interface MutedChecks {
  readonly check: Pattern;
  readonly regions: readonly Pattern[];
  readonly resources: readonly Pattern[];
  /** All of them have to fit. */
  readonly tags: readonly Pattern[];
  /** `undefined`: no exceptions. */
  readonly exceptions: MuteExceptions | undefined;
}

/** An empty list fits everything. */
export interface MuteExceptions {
  readonly accounts: readonly Pattern[];
  readonly regions: readonly Pattern[];
  readonly resources: readonly Pattern[];
  readonly tags: readonly Pattern[];
}

/** All that is evaluated belongs to the organization as a whole. */
const REGION = 'global';
/** What a directory holds has no tags: only a pattern for any text fits. */
const NO_TAG = '';

/**
 * Whether the mutelist covers a verdict. The entries of the organization are asked first, then those of `*`; an
 * exception that fits ends the question for its account. Checks and resources are known by their names in every dialect.
 */
export function isMuted(
  mutelist: Mutelist,
  orgDomain: string,
  checkId: string,
  { resource }: Verdict,
): boolean {
  const domain = orgDomain.toLowerCase();
  const ids = checkIds(checkId);
  const names = [resource.name, resource.id].flatMap(resourceNames);
  const fitsResource = (patterns: readonly Pattern[]) => patterns.some((pattern) => names.some(pattern));
  const fits = (patterns: readonly Pattern[], text: string) => patterns.some((pattern) => pattern(text));
  const isExcepted = ({ accounts, regions, resources, tags }: MuteExceptions) =>
    (accounts.length === 0 || fits(accounts, domain)) &&
    (regions.length === 0 || fits(regions, REGION)) &&
    (resources.length === 0 || fitsResource(resources)) &&
    tags.every((pattern) => pattern(NO_TAG));

  return [domain, '*'].some((wanted) => {
    const entries = mutelist.accounts
      .filter(({ account }) => account === wanted)
      .flatMap((account) => account.entries);
    const covering = entries.find(
      ({ check, regions, resources, tags }) =>
        ids.some(check) &&
        fits(regions, REGION) &&
        fitsResource(resources) &&
        tags.every((pattern) => pattern(NO_TAG)),
    );
    return covering !== undefined && (covering.exceptions === undefined || !isExcepted(covering.exceptions));
  });
}
