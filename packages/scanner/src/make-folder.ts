import { mkdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { errorCode } from './errors.ts';

/**
 * Creates a folder and its missing parents one level at a time. Node's recursive mkdir never returns if the parent exists but rejects
 * new folders with ENOENT, as `/proc` does. Throws the file-system error.
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
