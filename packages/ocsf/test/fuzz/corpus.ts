import { readFileSync } from 'node:fs';
import { locateElements } from './parsed-array.ts';

/**
 * Records in the formats of different scanners, each written by a different JSON writer. This copy is only for the
 * fuzzers: a seed generates the same cases everywhere as long as the corpus does not change.
 */
const CORPUS = new URL('corpus.ocsf.json', import.meta.url);

/** The bytes of the records as they are written, including white space. */
export function corpusRecords(): readonly Buffer[] {
  const bytes = readFileSync(CORPUS);
  return locateElements(bytes).map(({ start, end }) => bytes.subarray(start, end));
}
