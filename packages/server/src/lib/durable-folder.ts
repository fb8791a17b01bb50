import { mkdir, open } from 'node:fs/promises';
import path from 'node:path';
import { codeOf } from './errors.ts';

/**
 * Error codes from flushing a folder that is read-only, inaccessible, or on a file system that cannot flush folders.
 */
const CANNOT_FLUSH: ReadonlySet<string> = new Set(['EACCES', 'EINVAL', 'EPERM', 'EROFS']);

/**
 * Creates a folder and its parents so that they survive a power failure. The directory entry of an existing folder is
 * flushed as well, because the process that created the folder may have been killed before flushing the entry.
 */
export async function makeDurableFolder(folder: string, mode?: number): Promise<void> {
  const target = path.resolve(folder);
  const firstNew = await mkdir(target, { recursive: true, mode });
  if (firstNew === undefined) {
    await syncFolder(path.dirname(target)).catch((error: unknown) => {
      if (!CANNOT_FLUSH.has(codeOf(error) ?? '')) throw error;
    });
    return;
  }
  for (let created = target; ; created = path.dirname(created)) {
    await syncFolder(path.dirname(created));
    if (created === firstNew) return;
  }
}

/** Flushes the directory entries of a folder, so that they survive a power failure. */
export async function syncFolder(folder: string): Promise<void> {
  await using handle = await open(folder, 'r');
  await handle.sync();
}
