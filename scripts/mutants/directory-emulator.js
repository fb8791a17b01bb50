import { defineMutants } from './define-mutants.js';

const emulator = defineMutants('packages/directory-emulator');

/** @type {readonly import('./define-mutants.js').Mutant[]} */
export const DIRECTORY_EMULATOR_MUTANTS = [
  emulator(
    'a DPoP proof can be replayed',
    'authorization/authenticator.ts',
    'if (this.#usedProofs.has(proofId)) {',
    "if (this.#usedProofs.has('')) {",
    'dpop-proofs',
  ),
  emulator(
    'a DPoP proof for another token is accepted',
    'authorization/dpop-proof.ts',
    "if (ath !== createHash('sha256').update(context.accessToken).digest('base64url'))",
    'if (ath === undefined)',
    'dpop-proofs',
  ),
  emulator(
    'the last page links to a next page',
    'management/paging.ts',
    'end < items.length ?',
    'end <= items.length ?',
    'management-api',
  ),
];
