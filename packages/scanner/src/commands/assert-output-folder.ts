import { randomUUID } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { makeFolder } from '../make-folder.ts';
import { unwritable } from '../outputs/write-atomically.ts';

/**
 * Makes the folder where it is missing, and tries whether files can be made in it; a scan of an hour must not end
 * with that. Throws the ScannerError `output_unwritable`.
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
