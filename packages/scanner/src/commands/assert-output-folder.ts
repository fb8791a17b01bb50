import { randomUUID } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { makeFolder } from '../make-folder.ts';
import { unwritable } from '../outputs/write-atomically.ts';

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
