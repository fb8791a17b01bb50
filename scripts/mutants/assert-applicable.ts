import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Mutant } from './define-mutants.ts';

/** Throws an error if the code or the tests of a mutant no longer exist in the checkout. */
export function assertApplicable(checkout: string, { package: folder, file, find, tests }: Mutant): void {
  const text = readFileSync(path.join(checkout, file), 'utf8');
  if (text.split(find).length !== 2) throw new Error(`${file} must contain '${find}' exactly once.`);
  for (const test of tests)
    if (findTestFiles(checkout, folder, test).length === 0)
      throw new Error(`${folder} has no test file ${test}.`);
}

/** Finds the test files with this name, without folders and extensions, in a package. */
export function findTestFiles(checkout: string, folder: string, test: string): string[] {
  return globSync(`${folder}/test/**/${test}{,.slow,.sampled,.release}.test.ts`, { cwd: checkout }).sort();
}
