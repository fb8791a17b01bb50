import { stat } from 'node:fs/promises';
import { isAbsolute, resolve } from 'node:path';
import { glob, isDynamicPattern } from 'tinyglobby';
import { ScannerError } from '../scanner-error.ts';

/** Stands for standard input. */
export const STANDARD_INPUT = '-';

/**
 * The files that the words of a command line name, each once and as it is named first: paths, patterns (for shells that
 * leave them as they are), and `-`. Throws a ScannerError `no_such_file` (exit code 2), so that a name that is wrong is
 * told before anything is pushed.
 */
export async function findFiles(words: readonly string[]): Promise<readonly string[]> {
  const files = new Map<string, string>();
  for (const word of words) {
    for (const file of await filesOf(word)) {
      const place = file === STANDARD_INPUT ? file : resolve(file);
      if (!files.has(place)) files.set(place, file);
    }
  }
  return [...files.values()];
}

async function filesOf(word: string): Promise<readonly string[]> {
  if (word === STANDARD_INPUT) return [word];
  // What there is goes before what it could mean as a pattern: names may hold brackets.
  const found = await stat(word).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return undefined;
    throw noSuchFile(`${word} cannot be read: ${error.message}`, error);
  });
  if (found?.isDirectory())
    throw noSuchFile(`${word} is a folder; name its files, such as '${word}/*.ocsf.json'`);
  if (found !== undefined) return [word];
  if (!isDynamicPattern(word)) throw noSuchFile(`there is no file ${word}`);
  const matches = await glob(word, { absolute: isAbsolute(word), expandDirectories: false });
  if (matches.length === 0) throw noSuchFile(`no file matches ${word}`);
  return matches.sort();
}

function noSuchFile(message: string, cause?: unknown): ScannerError {
  return new ScannerError('no_such_file', message, { exitCode: 2, cause });
}
