/** What a record is about, by number: which account, which check, which resource of the account. */
export interface Identity {
  account: number;
  check: number;
  resource: number;
}

/** How many identities there are of each kind. */
export interface Counts {
  accounts: number;
  checks: number;
  resources: number;
}

// A scanner writes check after check; short runs keep that, and still let few records hold all accounts.
const RUN_LENGTH = 8;

/**
 * The identity of the index-th record. Each of the accounts x checks x resources identities comes once before
 * the first comes again. It depends on the index and the three counts alone: not on seed, time or shares.
 */
export function identityAt(counts: Counts, index: number): Identity {
  const { accounts, checks, resources } = counts;
  const rest = index % (accounts * checks * resources);
  const blockLength = Math.min(RUN_LENGTH, resources);
  const block = Math.floor(rest / (accounts * checks * blockLength));
  const runLength = Math.min(blockLength, resources - block * blockLength);
  const inBlock = rest - block * accounts * checks * blockLength;
  const run = Math.floor(inBlock / runLength);
  const check = Math.floor(run / accounts);
  // Each check begins at other resources, so that a resource does not come again at once with the next check.
  const resource = (block * blockLength + (inBlock % runLength) + check * blockLength) % resources;
  return { account: run % accounts, check, resource };
}
