import { codeOf } from '../error-code.ts';
import { BlobStoreUnavailable } from './blob-store-unavailable.ts';

/** Error codes of a file system that is unavailable, or that this process may not use; not of a single file (errno(3)). */
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
 * Runs an operation on files of the store. Throws a BlobStoreUnavailable if the file system is unavailable, or if a file is
 * missing because the whole store is.
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
      ? new BlobStoreUnavailable(`the folder of the blob store is unavailable (${code})`, error)
      : error;
  }
}

/** As `translateErrors`, for a list that is read incrementally. */
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
