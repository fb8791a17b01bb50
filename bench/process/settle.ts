import { execFile } from 'node:child_process';
import { open } from 'node:fs/promises';
import { promisify } from 'node:util';

const CHUNK_BYTES = 2 ** 20;

/**
 * Creates the same initial state for each measurement: writes all dirty pages to disk, so that earlier work does not
 * interfere, and reads the file into the page cache.
 */
export async function settle(file: string): Promise<void> {
  await promisify(execFile)('sync');
  await using handle = await open(file, 'r');
  const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
  while ((await handle.read(chunk, 0, CHUNK_BYTES)).bytesRead > 0);
}
