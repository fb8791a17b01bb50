import { execFile } from 'node:child_process';
import { open } from 'node:fs/promises';
import { promisify } from 'node:util';

const PIECE_BYTES = 2 ** 20;

/**
 * The same beginning for all that is measured on a file. What the system has in memory for its disks is written: files, and
 * what was measured before, go there now and not meanwhile. And the file is read, so that the next to read it finds it
 * in memory, however long ago it was written or read.
 */
export async function settle(file: string): Promise<void> {
  await promisify(execFile)('sync');
  await using handle = await open(file, 'r');
  const piece = Buffer.allocUnsafe(PIECE_BYTES);
  while ((await handle.read(piece, 0, PIECE_BYTES)).bytesRead > 0);
}
