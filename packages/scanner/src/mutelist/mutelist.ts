import type { Verdict } from '../checks/check.ts';
import { checkIds, resourceNames } from '../directory/dialect-names.ts';

/** Whether a pattern of the mutelist matches a text. */
export type Pattern = (text: string) => boolean;

/** The accepted findings, which do not cause exit code 3. */
export interface Mutelist {
  readonly accounts: readonly MutedAccount[];
}

export interface MutedAccount {
  /** Organization domain in lowercase, or `*`. */
  readonly account: string;
  readonly entries: readonly MutedChecks[];
}

export interface MutedChecks {
  readonly check: Pattern;
  readonly regions: readonly Pattern[];
  readonly resources: readonly Pattern[];
  /** All patterns must match; an empty list always matches. */
  readonly tags: readonly Pattern[];
  /** `undefined` if there are no exceptions. */
  readonly exceptions: MuteExceptions | undefined;
}

/** An empty list of patterns matches everything. */
export interface MuteExceptions {
  readonly accounts: readonly Pattern[];
  readonly regions: readonly Pattern[];
  readonly resources: readonly Pattern[];
  readonly tags: readonly Pattern[];
}

/** All resources apply to the whole organization, so the region is always global. */
const REGION = 'global';
/** Directory resources have no tags, so tag patterns must match the empty string. */
const NO_TAG = '';

/**
 * Whether a verdict is muted. The entries of the organization are matched first, then those of `*`; a matching
 * exception applies only to the entries of its own account. Check and resource names of all dialects are accepted.
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
  const matchesResource = (patterns: readonly Pattern[]) => patterns.some((pattern) => names.some(pattern));
  const matches = (patterns: readonly Pattern[], text: string) => patterns.some((pattern) => pattern(text));
  const isExcepted = ({ accounts, regions, resources, tags }: MuteExceptions) =>
    (accounts.length === 0 || matches(accounts, domain)) &&
    (regions.length === 0 || matches(regions, REGION)) &&
    (resources.length === 0 || matchesResource(resources)) &&
    tags.every((pattern) => pattern(NO_TAG));

  return [domain, '*'].some((wanted) => {
    const entries = mutelist.accounts
      .filter(({ account }) => account === wanted)
      .flatMap((account) => account.entries);
    const covering = entries.find(
      ({ check, regions, resources, tags }) =>
        ids.some(check) &&
        matches(regions, REGION) &&
        matchesResource(resources) &&
        tags.every((pattern) => pattern(NO_TAG)),
    );
    return covering !== undefined && (covering.exceptions === undefined || !isExcepted(covering.exceptions));
  });
}
