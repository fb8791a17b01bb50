import { open, rm, stat } from 'node:fs/promises';
import path from 'node:path';

const CHUNK_BYTES = 2 ** 20;

/**
 * Copies a file to the folder, flushes the copy and the folder (fsync), and returns the duration in seconds. The source
 * is read in chunks of the same size as for an upload.
 */
export async function writeDurably(source: string, folder: string): Promise<number> {
  const copy = path.join(folder, 'written-durably');
  const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
  try {
    const start = performance.now();
    {
      await using from = await open(source, 'r');
      await using to = await open(copy, 'wx');
      for (;;) {
        const { bytesRead } = await from.read(chunk, 0, CHUNK_BYTES);
        if (bytesRead === 0) break;
        for (let at = 0; at < bytesRead; ) at += (await to.write(chunk, at, bytesRead - at)).bytesWritten;
      }
      await to.sync();
    }
    await syncFolder(folder);
    return (performance.now() - start) / 1000;
  } finally {
    await rm(copy, { force: true });
  }
}

/** Throws if the two paths are on different disks, whose timings cannot be compared. */
export async function assertSameDisk(one: string, other: string): Promise<void> {
  const [first, second] = await Promise.all([stat(one), stat(other)]);
  if (first.dev !== second.dev) throw new Error(`${one} and ${other} are not on the same disk`);
}

/** Flushes a folder, so that the names of its new files are durable. */
export async function syncFolder(folder: string): Promise<void> {
  await using entries = await open(folder, 'r');
  await entries.sync();
}
