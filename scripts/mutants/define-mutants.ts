/** A change that breaks the code and that a test must detect. */
export interface Mutant {
  /** What no longer works, as a sentence. */
  readonly breaks: string;
  readonly package: string;
  readonly file: string;
  /** Occurs exactly once in the file, and is replaced by `replace`. */
  readonly find: string;
  readonly replace: string;
  /** The names of the test files to run, without folders and extensions. */
  readonly tests: readonly string[];
}

type DefineMutant = (
  breaks: string,
  file: string,
  find: string,
  replace: string,
  ...tests: readonly string[]
) => Mutant;

/** Returns a function that defines mutants of a package. Its `file` argument is relative to `src`. */
export function defineMutants(folder: string): DefineMutant {
  return (breaks, file, find, replace, ...tests) => ({
    breaks,
    package: folder,
    file: `${folder}/src/${file}`,
    find,
    replace,
    tests,
  });
}
