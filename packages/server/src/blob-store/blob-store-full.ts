import { codeOf } from '../error-code.ts';

/** Of the file system (errno(3)); a store in S3 says the same of a 507. */
const FULL: ReadonlySet<string> = new Set(['ENOSPC', 'EDQUOT']);

/** Whether an error, also one that came out of another thread, says that the store has no room left. */
export function isBlobStoreFull(error: unknown): boolean {
  return FULL.has(codeOf(error) ?? '');
}
