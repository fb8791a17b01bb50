import { codeOf } from '../lib/error-code.ts';

/** File-system error codes (errno(3)). S3 stores translate HTTP status 507 to ENOSPC. */
const FULL: ReadonlySet<string> = new Set(['ENOSPC', 'EDQUOT']);

/** Whether an error means that the store is full. Also works for errors from other threads. */
export function isBlobStoreFull(error: unknown): boolean {
  return FULL.has(codeOf(error) ?? '');
}
