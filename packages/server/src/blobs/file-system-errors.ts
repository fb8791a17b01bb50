import { codeOf } from '../lib/errors.ts';
import { BlobStoreUnavailable } from './blob-store.ts';

/** Error codes (errno(3)) of a file system that is unavailable or not accessible to this process. */
const UNAVAILABLE: ReadonlySet<string> = new Set([
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
 * Runs an operation on the store's files. Throws a BlobStoreUnavailable if the file system is unavailable, or if a file
 * is missing because the whole store is missing.
 */
export async function translateErrors<Result>(
  work: () => Promise<Result>,
  storeExists: () => Promise<boolean> = async () => true,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    const code = codeOf(error) ?? '';
    const isUnavailable = UNAVAILABLE.has(code) || (code === 'ENOENT' && !(await storeExists()));
    throw isUnavailable
      ? new BlobStoreUnavailable(`the blob store folder is unavailable (${code})`, error)
      : error;
  }
}

/** Like `translateErrors`, but for a list that is read incrementally. */
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
