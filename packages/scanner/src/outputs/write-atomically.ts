import { randomUUID } from 'node:crypto';
import { open, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { errorCode, ScannerError } from '../lib/errors.ts';

/**
 * Writes a file so that readers see either the old or the new content: writes a temporary file in the same folder,
 * syncs it, and renames it. Throws a ScannerError with the code `output_unwritable` and removes the temporary file.
 */
export async function writeAtomically(path: string, text: string): Promise<void> {
  const folder = dirname(path);
  // The temporary name does not contain the file name, which could already have the maximum length.
  const temporary = join(folder, `.sluice-${randomUUID()}.tmp`);
  const file = await open(temporary, 'wx').catch((error: unknown) => {
    throw unwritable(folder, basename(path), error);
  });
  try {
    try {
      await file.writeFile(text);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw unwritable(folder, basename(path), error);
  }
}

/** Creates the error for a folder that is not writable, with advice. */
export function unwritable(folder: string, file: string | null, cause: unknown): ScannerError {
  const subject = file === null ? `The output folder ${folder}` : `${file} in the output folder ${folder}`;
  return new ScannerError('output_unwritable', `${subject} cannot be written: ${reason(cause)}.`, { cause });
}

const REASONS: ReadonlyMap<string, string> = new Map([
  ['EACCES', 'permission denied; choose another folder with -o, or grant write access'],
  ['EPERM', 'permission denied; choose another folder with -o, or grant write access'],
  ['EROFS', 'the file system is read-only; choose another folder with -o'],
  ['ENOTDIR', 'part of the path is a file, not a folder; choose another folder with -o'],
  ['EEXIST', 'it is a file, not a folder; choose another folder with -o'],
  ['ENOENT', 'the folder does not exist and cannot be created; choose another folder with -o'],
  ['EISDIR', 'a folder with that name exists; remove it, or choose another name with -F'],
  ['ENAMETOOLONG', 'the name is too long; choose a shorter name with -F'],
  ['ENOSPC', 'no space left on the disk; free some space, or choose another folder with -o'],
  ['EDQUOT', 'the disk quota is exceeded; free some space, or choose another folder with -o'],
  ['EFBIG', 'the file exceeds a size limit of the user or file system; choose another folder with -o'],
]);

function reason(cause: unknown): string {
  const code = errorCode(cause) ?? '';
  return REASONS.get(code) ?? (cause instanceof Error ? cause.message : String(cause));
}
