/**
 * The fault of a file operation. `EIO`: it fails. `late`: it succeeds but reports EIO. `ENOSPC`: it fails, after half of the
 * bytes of a write. `short`: writes half of the bytes, without an error. `unflushed`: EIO for the fsync of files only, so that
 * every sample contains one.
 */
export const FILE_FAULTS = ['EIO', 'late', 'ENOSPC', 'short', 'unflushed'] as const;
export type FileFault = (typeof FILE_FAULTS)[number];

/** Operations; threads refer to them by their index. */
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

/** Whether the fault applies to an operation; others are not counted. */
export function isApplicable(fault: FileFault, operation: Operation): boolean {
  if (fault === 'ENOSPC') return NEEDS_SPACE.has(operation);
  if (fault === 'unflushed') return operation === 'sync';
  return fault !== 'short' || operation === 'write';
}

/** Environment variables for the folder whose operations fail, and for the control socket. */
export const FOLDER = 'TEST_FAILING_FOLDER';
export const SOCKET = 'TEST_FAILING_SOCKET';
