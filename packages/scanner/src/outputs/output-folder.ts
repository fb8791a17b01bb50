import { randomUUID } from 'node:crypto';
import { mkdir, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { errorCode } from '../lib/errors.ts';
import { unwritable } from './write-atomically.ts';

/** Creates the output folder if it is missing. Throws a ScannerError with the code `output_unwritable`. */
export async function makeOutputFolder(folder: string): Promise<void> {
  try {
    await makeFolder(folder);
  } catch (error) {
    throw unwritable(folder, null, error);
  }
}

/**
 * Creates the folder if it is missing and checks that it is writable, so that a long scan does not fail at the end.
 * Throws a ScannerError with the code `output_unwritable`.
 */
export async function assertOutputFolder(folder: string): Promise<void> {
  const probe = path.join(folder, `.sluice-${randomUUID()}.tmp`);
  try {
    await makeFolder(folder);
    await writeFile(probe, '', { flag: 'wx' });
    await rm(probe);
  } catch (error) {
    throw unwritable(folder, null, error);
  }
}

/**
 * Creates a folder and its missing parents one level at a time. Node's recursive mkdir never returns if the parent
 * exists but rejects new folders with ENOENT, as `/proc` does. Throws the file-system error.
 */
export async function makeFolder(folder: string): Promise<void> {
  if (await isFolder(folder)) return;
  const parent = path.dirname(path.resolve(folder));
  if (parent !== path.resolve(folder)) await makeFolder(parent);
  try {
    await mkdir(folder);
  } catch (error) {
    // Another process may have created the folder in the meantime.
    if (errorCode(error) !== 'EEXIST' || !(await isFolder(folder))) throw error;
  }
}

async function isFolder(name: string): Promise<boolean> {
  try {
    return (await stat(name)).isDirectory();
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return false;
    throw error;
  }
}
