/**
 * The ordinals that identify the subject of a record: its account, its check, and its resource (among the resources of
 * its type in the account).
 */
export interface Identity {
  account: number;
  check: number;
  resource: number;
}

/** The number of distinct accounts, checks, and resources of each type per account. */
export interface Counts {
  accounts: number;
  checks: number;
  resources: number;
}

// Scanners write the findings of one check after another. Short runs imitate this order, but a small file still covers
// all accounts.
const RUN_LENGTH = 8;

/**
 * Returns the identity of a record. Each of the accounts x checks x resources identities occurs once before the first
 * one is repeated. The result depends only on the index and the three counts.
 */
export function identityAt(counts: Counts, index: number): Identity {
  const { accounts, checks, resources } = counts;
  const position = index % (accounts * checks * resources);
  const blockLength = Math.min(RUN_LENGTH, resources);
  const block = Math.floor(position / (accounts * checks * blockLength));
  const runLength = Math.min(blockLength, resources - block * blockLength);
  const inBlock = position - block * accounts * checks * blockLength;
  const run = Math.floor(inBlock / runLength);
  const check = Math.floor(run / accounts);
  // Each check starts at a different resource, so that consecutive checks do not repeat the same resource.
  const resource = (block * blockLength + (inBlock % runLength) + check * blockLength) % resources;
  return { account: run % accounts, check, resource };
}
