/**
 * A change that breaks the code; a test has to fail for it. `find` occurs in the file exactly once and becomes `replace`;
 * `tests` are the test files of the package to run, without folders and endings.
 *
 * @typedef {{ breaks: string, package: string, file: string, find: string, replace: string, tests: readonly string[] }} Mutant
 */

/** Returns a function that describes a mutant of a package; its `file` is relative to `src`. */
export const mutantsOf =
  (folder) =>
  (breaks, file, find, replace, ...tests) => ({
    breaks,
    package: folder,
    file: `${folder}/src/${file}`,
    find,
    replace,
    tests,
  });
