/**
 * The fault to inject into a file operation. `EIO`: the operation fails. `late`: it succeeds but reports EIO. `ENOSPC`:
 * it fails; a write fails after half of its bytes. `short`: a write stores half of its bytes without an error.
 * `unflushed`: only the fsync of a file fails with EIO, so that every sample contains an fsync.
 */
export const FILE_FAULTS = ['EIO', 'late', 'ENOSPC', 'short', 'unflushed'] as const;
export type FileFault = (typeof FILE_FAULTS)[number];

/** The file operations. Threads identify an operation by its index. */
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

const NEEDS_SPACE: ReadonlySet<Operation> = new Set([
  'mkdir',
  'open',
  'write',
  'sync',
  'sync folder',
  'close',
]);

/** Whether the fault applies to an operation. Other operations are not counted. */
export function isApplicable(fault: FileFault, operation: Operation): boolean {
  if (fault === 'ENOSPC') return NEEDS_SPACE.has(operation);
  if (fault === 'unflushed') return operation === 'sync';
  return fault !== 'short' || operation === 'write';
}

/** Environment variables for the folder whose operations fail, and for the control socket. */
export const FOLDER = 'TEST_FAILING_FOLDER';
export const SOCKET = 'TEST_FAILING_SOCKET';
