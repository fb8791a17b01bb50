/**
 * What happens to an operation on a file. `EIO`: it is not done. `late`: it is done, and the error is EIO all the same.
 * `ENOSPC`: half of a write, and nothing of anything else. `short`: half of a write, without an error. `unflushed`: EIO for the
 * fsync of a file only, so that a sample always has one.
 */
export const FILE_FAULTS = ['EIO', 'late', 'ENOSPC', 'short', 'unflushed'] as const;
export type FileFault = (typeof FILE_FAULTS)[number];

/** Operations in the order in which they are numbered between threads. */
export const OPERATIONS = [
  'access',
  'mkdir',
  'open',
  'opendir',
  'rm',
  'rmdir',
  'stat',
  'read',
  'write',
  'sync',
  'sync folder',
  'close',
] as const;
export type Operation = (typeof OPERATIONS)[number];

const NEEDS_ROOM: ReadonlySet<Operation> = new Set([
  'mkdir',
  'open',
  'write',
  'sync',
  'sync folder',
  'close',
]);

/** Whether this can happen to such an operation; others are not counted. */
export function canHappen(fault: FileFault, operation: Operation): boolean {
  if (fault === 'ENOSPC') return NEEDS_ROOM.has(operation);
  if (fault === 'unflushed') return operation === 'sync';
  return fault !== 'short' || operation === 'write';
}

/** The environment variable with the folder whose files fail, and the one with the socket that a process is controlled over. */
export const FOLDER = 'TEST_FAILING_FOLDER';
export const SOCKET = 'TEST_FAILING_SOCKET';
