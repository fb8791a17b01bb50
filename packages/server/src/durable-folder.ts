import { mkdir, open } from 'node:fs/promises';
import path from 'node:path';
import { codeOf } from './error-code.ts';

/** Error codes of flushing a folder that is read-only, closed to this user, or on a file system that cannot flush it. */
const CANNOT_FLUSH: ReadonlySet<string> = new Set(['EACCES', 'EINVAL', 'EPERM', 'EROFS']);

/**
 * Creates a folder and its parents so that their names survive a power cut. The name of a folder that exists is flushed
 * as well: the process that created it may have been killed before it could do so.
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
  for (let made = target; ; made = path.dirname(made)) {
    await syncFolder(path.dirname(made));
    if (made === firstNew) return;
  }
}

/** Flushes the names in a folder, so that they survive a power cut. */
export async function syncFolder(folder: string): Promise<void> {
  await using handle = await open(folder, 'r');
  await handle.sync();
}
