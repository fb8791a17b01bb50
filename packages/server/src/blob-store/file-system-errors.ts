import { codeOf } from '../error-code.ts';
import { BlobStoreUnavailable } from './blob-store-unavailable.ts';

/** What the system says where the file system is away, or this process may not use it, and not the one file (errno(3)). */
const AWAY: ReadonlySet<string> = new Set([
  'EACCES',
  'EHOSTDOWN',
  'EIO',
  'EMFILE',
  'ENFILE',
  'ENODEV',
  'ENOTCONN',
  'ENXIO',
  'EPERM',
  'EROFS',
  'ESTALE',
  'ETIMEDOUT',
]);

/**
 * Does something with files of the store. Throws a BlobStoreUnavailable where the file system is away; a file that is not there
 * counts as that, too, where the store itself is not there.
 */
export async function translateErrors<Result>(
  work: () => Promise<Result>,
  isStoreThere: () => Promise<boolean> = async () => true,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    const code = codeOf(error) ?? '';
    const isAway = AWAY.has(code) || (code === 'ENOENT' && !(await isStoreThere()));
    throw isAway ? new BlobStoreUnavailable(`the folder of the blob store is away (${code})`, error) : error;
  }
}

/** As `translateErrors`, for a list that is read piece by piece. */
export async function* translateListErrors<Element>(
  list: AsyncIterable<Element>,
): AsyncGenerator<Element, void> {
  const elements = list[Symbol.asyncIterator]();
  try {
    for (;;) {
      const next = await translateErrors(() => elements.next());
      if (next.done === true) return;
      yield next.value;
    }
  } finally {
    await elements.return?.();
  }
}
