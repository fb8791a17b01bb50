import { createWriteStream } from 'node:fs';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { isAbsolute, join, resolve } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { glob, isDynamicPattern } from 'tinyglobby';
import { PushError } from '../client/index.ts';
import { ScannerError } from '../lib/errors.ts';

/** The argument that represents standard input. */
export const STANDARD_INPUT = '-';

/**
 * Resolves command line arguments to files without duplicates: paths, glob patterns (for shells that do not expand
 * them), and `-`. Throws a ScannerError with the code `no_such_file` (exit code 2) before anything is pushed.
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

/** Standard input, saved to a file. */
export interface SavedInput {
  readonly path: string;
  readonly remove: () => Promise<void>;
}

/**
 * Saves standard input to a file, because it is read once for the hash, once for the upload, and again for each retry.
 * Throws a ScannerError with the code `input_not_kept` or a PushError with the code `file_empty`.
 */
export async function saveStandardInput(input: Readable): Promise<SavedInput> {
  let temporary: TemporaryFolder | undefined;
  try {
    temporary = await makeTemporaryFolder();
    const saved = createWriteStream(join(temporary.folder, 'standard-input.ocsf.json'));
    await pipeline(input, saved);
    if (saved.bytesWritten > 0) return { path: String(saved.path), remove: temporary.remove };
    throw new PushError('file_empty', 'standard input is empty');
  } catch (error) {
    await temporary?.remove();
    if (error instanceof PushError) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    const message = `standard input could not be saved to a file: ${reason}; set TMPDIR to a folder with enough space`;
    throw new ScannerError('input_not_kept', message, { cause: error });
  }
}

/** A folder in the temporary directory that is readable only by its owner. */
export interface TemporaryFolder {
  readonly folder: string;
  readonly remove: () => Promise<void>;
}

/** Creates a temporary folder. Throws the file-system error. */
export async function makeTemporaryFolder(): Promise<TemporaryFolder> {
  const folder = await mkdtemp(join(tmpdir(), 'sluice-push-'));
  return { folder, remove: () => rm(folder, { recursive: true, force: true }) };
}
