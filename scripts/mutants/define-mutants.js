/**
 * A change that breaks the code and that a test must detect. `find` occurs exactly once in the file and is replaced by
 * `replace`. `tests` are the names of the test files to run, without folders and extensions.
 *
 * @typedef {{ breaks: string, package: string, file: string, find: string, replace: string, tests: readonly string[] }} Mutant
 */

/** Returns a function that defines mutants of a package. Its `file` argument is relative to `src`. */
export const defineMutants =
  (folder) =>
  (breaks, file, find, replace, ...tests) => ({
    breaks,
    package: folder,
    file: `${folder}/src/${file}`,
    find,
    replace,
    tests,
  });
