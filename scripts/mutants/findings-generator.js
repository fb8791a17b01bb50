import { defineMutants } from './define-mutants.js';

const generator = defineMutants('tools/findings-generator');

/** @type {readonly import('./define-mutants.js').Mutant[]} */
export const FINDINGS_GENERATOR_MUTANTS = [
  generator(
    'no record is muted',
    'outcome.ts',
    'random.chance(options.mutedShare)',
    'random.chance(0)',
    'shares',
  ),
];
