import { open, rm, stat } from 'node:fs/promises';
import path from 'node:path';

const PIECE_BYTES = 2 ** 20;

/**
 * The seconds that it takes to write the bytes of this file to a new one in the folder, until file and folder are on
 * disk (fsync). The source is read in the same pieces as for an upload; nothing else is done with the bytes.
 */
export async function writeDurably(source: string, folder: string): Promise<number> {
  const copy = path.join(folder, 'written-durably');
  const piece = Buffer.allocUnsafe(PIECE_BYTES);
  try {
    const start = performance.now();
    {
      await using from = await open(source, 'r');
      await using to = await open(copy, 'wx');
      for (;;) {
        const { bytesRead } = await from.read(piece, 0, PIECE_BYTES);
        if (bytesRead === 0) break;
        for (let at = 0; at < bytesRead; ) at += (await to.write(piece, at, bytesRead - at)).bytesWritten;
      }
      await to.sync();
    }
    await syncFolder(folder);
    return (performance.now() - start) / 1000;
  } finally {
    await rm(copy, { force: true });
  }
}

/** Fails where the two are on different disks, whose speeds say nothing about each other. */
export async function assertSameDisk(one: string, other: string): Promise<void> {
  const [first, second] = await Promise.all([stat(one), stat(other)]);
  if (first.dev !== second.dev) throw new Error(`${one} and ${other} are not on the same disk`);
}

/** A new file survives only if the folder's entry that names it does. */
export async function syncFolder(folder: string): Promise<void> {
  await using entries = await open(folder, 'r');
  await entries.sync();
}
