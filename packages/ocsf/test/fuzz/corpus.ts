import { readFileSync } from 'node:fs';
import { locateElements } from './parsed-array.ts';

/**
 * Records in the formats of different scanners, each serialized by a different JSON library. The fuzzers use a separate
 * copy, because a seed reproduces a case only as long as the corpus does not change.
 */
const CORPUS = new URL('corpus.ocsf.json', import.meta.url);

/** The bytes of each record, with its original whitespace. */
export function corpusRecords(): readonly Buffer[] {
  const bytes = readFileSync(CORPUS);
  return locateElements(bytes).map(({ start, end }) => bytes.subarray(start, end));
}
