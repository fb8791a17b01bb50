import { defineMutants, type Mutant } from './define-mutants.ts';

const emulator = defineMutants('packages/directory-emulator');

export const DIRECTORY_EMULATOR_MUTANTS: readonly Mutant[] = [
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
