import { readFileSync } from 'node:fs';
import { locateElements } from './parsed-array.ts';

/**
 * Records in the forms that scanners give them, each by its own kind of writer. They stand here for the fuzzers alone: a
 * seed makes the same cases wherever it is run, as long as nobody changes them.
 */
const CORPUS = new URL('corpus.ocsf.json', import.meta.url);

/** The records as they are written, white space and all, by their bytes. */
export function corpusRecords(): readonly Buffer[] {
  const bytes = readFileSync(CORPUS);
  return locateElements(bytes).map(({ start, end }) => bytes.subarray(start, end));
}
