import { stat } from 'node:fs/promises';
import { isAbsolute, resolve } from 'node:path';
import { glob, isDynamicPattern } from 'tinyglobby';
import { ScannerError } from '../scanner-error.ts';

/** The argument that represents standard input. */
export const STANDARD_INPUT = '-';

/**
 * Resolves command line arguments to files without duplicates: paths, glob patterns (for shells that do not expand them), and `-`.
 * Throws a ScannerError with the code `no_such_file` (exit code 2) before anything is pushed.
 */
export async function findFiles(words: readonly string[]): Promise<readonly string[]> {
  const files = new Map<string, string>();
  for (const word of words) {
    for (const file of await filesOf(word)) {
      const key = file === STANDARD_INPUT ? file : resolve(file);
      if (!files.has(key)) files.set(key, file);
    }
  }
  return [...files.values()];
}

async function filesOf(word: string): Promise<readonly string[]> {
  if (word === STANDARD_INPUT) return [word];
  // An existing file takes precedence over a pattern, because names can contain brackets.
  const found = await stat(word).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return undefined;
    throw noSuchFile(`${word} cannot be read: ${error.message}`, error);
  });
  if (found?.isDirectory())
    throw noSuchFile(`${word} is a folder; specify its files, such as '${word}/*.ocsf.json'`);
  if (found !== undefined) return [word];
  if (!isDynamicPattern(word)) throw noSuchFile(`file ${word} does not exist`);
  const matches = await glob(word, { absolute: isAbsolute(word), expandDirectories: false });
  if (matches.length === 0) throw noSuchFile(`no file matches ${word}`);
  return matches.sort();
}

function noSuchFile(message: string, cause?: unknown): ScannerError {
  return new ScannerError('no_such_file', message, { exitCode: 2, cause });
}
