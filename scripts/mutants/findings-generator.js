import { mutantsOf } from './mutants-of.js';

const generator = mutantsOf('tools/findings-generator');

/** @type {readonly import('./mutants-of.js').Mutant[]} */
export const FINDINGS_GENERATOR_MUTANTS = [
  generator(
    'no record is muted',
    'outcome.ts',
    'random.chance(options.mutedShare)',
    'random.chance(0)',
    'shares',
  ),
];
