import { readFileSync } from 'node:fs';
import { locateElements } from './parsed-array.ts';

/**
 * Records in the formats of different scanners, each written by a different JSON writer. The fuzzers use a separate
 * copy, because a seed only reproduces a case while the corpus does not change.
 */
const CORPUS = new URL('corpus.ocsf.json', import.meta.url);

/** The bytes of each record, with its original white space. */
export function corpusRecords(): readonly Buffer[] {
  const bytes = readFileSync(CORPUS);
  return locateElements(bytes).map(({ start, end }) => bytes.subarray(start, end));
}
