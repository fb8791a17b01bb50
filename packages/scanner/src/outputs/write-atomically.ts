import { randomUUID } from 'node:crypto';
import { open, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { errorCode } from '../error-code.ts';
import { ScannerError } from '../scanner-error.ts';

/**
 * Writes a file so that whoever reads it sees the old one or the new one, and never a part: to another name in the
 * same folder, onto the disk, then renamed. Throws a ScannerError `output_unwritable`; then nothing is left behind.
 */
export async function writeAtomically(path: string, text: string): Promise<void> {
  const folder = dirname(path);
  // A name of its own length, so that a long name of the file does not make this one too long.
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

/** The error for a folder that cannot be written, and what to do about it. */
export function unwritable(folder: string, file: string | null, cause: unknown): ScannerError {
  const what = file === null ? `The output folder ${folder}` : `${file} in the output folder ${folder}`;
  return new ScannerError('output_unwritable', `${what} cannot be written: ${reason(cause)}.`, { cause });
}

const REASONS: ReadonlyMap<string, string> = new Map([
  ['EACCES', 'this user has no permission; choose another folder with -o, or allow writing there'],
  ['EPERM', 'this user has no permission; choose another folder with -o, or allow writing there'],
  ['EROFS', 'the file system is read-only; choose another folder with -o'],
  ['ENOTDIR', 'a part of the path is a file and no folder; choose another folder with -o'],
  ['EEXIST', 'it is a file and no folder; choose another folder with -o'],
  ['ENOENT', 'the folder does not exist and cannot be created; choose another folder with -o'],
  ['EISDIR', 'a folder has that name; remove it, or choose another name with -F'],
  ['ENAMETOOLONG', 'the name is too long; choose a shorter one with -F'],
  ['ENOSPC', 'no space is left on the disk; make room there, or choose another folder with -o'],
  ['EDQUOT', 'the disk quota is used up; make room there, or choose another folder with -o'],
  ['EFBIG', 'the file is larger than this user or file system allows; choose another folder with -o'],
]);

function reason(cause: unknown): string {
  const code = errorCode(cause) ?? '';
  return REASONS.get(code) ?? (cause instanceof Error ? cause.message : String(cause));
}
