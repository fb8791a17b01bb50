import { defineMutants, type Mutant } from './define-mutants.ts';

const generator = defineMutants('tools/findings-generator');

export const FINDINGS_GENERATOR_MUTANTS: readonly Mutant[] = [
  generator(
    'no record is muted',
    'outcome.ts',
    'random.chance(options.mutedShare)',
    'random.chance(0)',
    'shares',
  ),
];
