import { mkdir, open } from 'node:fs/promises';
import path from 'node:path';
import { codeOf } from './error-code.ts';

/** Why the entries of a folder that is not ours cannot be flushed; it may be on a read-only disk, or closed to us. */
const NOT_OURS: ReadonlySet<string> = new Set(['EACCES', 'EINVAL', 'EPERM', 'EROFS']);

/**
 * Makes a folder, and the folders that lead to it, so that their names survive a power cut. The name of a folder that
 * exists is flushed as well: whoever made it may have been killed before that.
 */
export async function makeDurableFolder(folder: string, mode?: number): Promise<void> {
  const target = path.resolve(folder);
  const firstNew = await mkdir(target, { recursive: true, mode });
  if (firstNew === undefined) {
    await syncFolder(path.dirname(target)).catch((error: unknown) => {
      if (!NOT_OURS.has(codeOf(error) ?? '')) throw error;
    });
    return;
  }
  for (let made = target; ; made = path.dirname(made)) {
    await syncFolder(path.dirname(made));
    if (made === firstNew) return;
  }
}

/** Makes the names in a folder survive a power cut. */
export async function syncFolder(folder: string): Promise<void> {
  await using handle = await open(folder, 'r');
  await handle.sync();
}
